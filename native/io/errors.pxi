# What kernels throw, as Python exceptions. Included by the bindings of kernels that read and write stage files.

cdef extern from *:
    """
    #include <cerrno>
    #include <new>
    #include <stdexcept>
    #include "io/stage_file.hpp"

    static void raise_project_error(const char* name, const char* message) {
      PyObject* module = PyImport_ImportModule("corpusprep.errors");
      PyObject* type = module ? PyObject_GetAttrString(module, name) : nullptr;
      PyObject* text = type ? PyUnicode_DecodeFSDefault(message) : nullptr;  // names of files may have any bytes
      if (text) PyErr_SetObject(type, text);
      Py_XDECREF(text);
      Py_XDECREF(type);
      Py_XDECREF(module);
    }

    // Turns what a kernel throws into an exception with a message that a user can act on.
    static void raise_python_error() {
      try {
        throw;
      } catch (const corpusprep::DamagedFile& error) {
        raise_project_error("StageFileError", error.what());
      } catch (const corpusprep::FileError& error) {
        if (error.missing_input) {
          raise_project_error("StageFileError",
                              (error.path + ": no such file; run the step that writes it first").c_str());
        } else {
          errno = error.code;
          PyErr_SetFromErrnoWithFilename(PyExc_OSError, error.path.c_str());
        }
      } catch (const std::length_error& error) {
        raise_project_error("ResourceError", error.what());
      } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
      } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
      }
    }
    """
    void raise_python_error()

# cython: language_level=3
"""Finds personal data in texts: the binding of native/personal/finder.hpp."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.map cimport map as cpp_map
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from *:
    """
    #include <string>
    #include "personal/finder.hpp"

    // The code points of a str into a buffer that is used again; false with an exception set.
    static bool read_codes(PyObject* text, std::u32string& codes) {
      const Py_ssize_t size = PyUnicode_GET_LENGTH(text);
      if (static_cast<unsigned long long>(size) >> 32) {
        PyErr_SetString(PyExc_ValueError, "a text of 4 Gi characters or more");
        return false;
      }
      codes.resize(static_cast<std::size_t>(size));
      auto* const buffer = reinterpret_cast<Py_UCS4*>(codes.data());
      return size == 0 || PyUnicode_AsUCS4(text, buffer, size, 0) != nullptr;
    }
    """
    cdef cppclass u32string "std::u32string":
        u32string()
    bint read_codes(str text, u32string& codes) except 0

cdef extern from "personal/finder.hpp" namespace "corpusprep" nogil:
    cdef cppclass Kind "corpusprep::PersonalKind":
        pass
    cdef cppclass Place "corpusprep::PersonalPlace":
        Kind kind
        uint32_t start, end
    cdef cppclass Limits "std::array<std::size_t, 2>":
        size_t& operator[](size_t)
    cdef cppclass PhoneForm:
        string trunk, firsts
        size_t least, most
        vector[string] shapes
    cdef cppclass IdentityForm:
        u32string pattern
        string check
    cdef cppclass PersonalRules:
        cpp_map[string, Limits] calling_codes
        cpp_map[string, size_t] iban_lengths
        vector[PhoneForm] phones
        vector[vector[IdentityForm]] identities
        vector[u32string] phone_words, other_words, version_words, ip_words
    cdef cppclass CppPersonalFinder "corpusprep::PersonalFinder":
        CppPersonalFinder(PersonalRules rules) except +
        vector[Place] find(u32string text, uint64_t countries) except +


cdef int add_words(vector[u32string]& words, texts) except -1:
    cdef u32string codes
    for text in texts:
        if not text:
            raise ValueError("an empty word")
        read_codes(text, codes)
        words.push_back(codes)
    return 0


cdef class PersonalFinder:
    cdef CppPersonalFinder* kernel

    def __cinit__(self, calling_codes, iban_lengths, phones, identities, phone_words, other_words,
                  version_words, ip_words):
        cdef PersonalRules rules
        cdef PhoneForm phone
        cdef IdentityForm identity
        cdef vector[IdentityForm] forms
        cdef string code
        for name, (least, most) in calling_codes.items():
            code = name.encode()
            rules.calling_codes[code][0] = least
            rules.calling_codes[code][1] = most
        for name, length in iban_lengths.items():
            code = name.encode()
            rules.iban_lengths[code] = length
        for trunk, least, most, firsts, shapes in phones:
            phone.trunk, phone.least, phone.most = trunk.encode(), least, most
            phone.firsts, phone.shapes = firsts.encode(), [shape.encode() for shape in shapes]
            rules.phones.push_back(phone)
        for of_country in identities:
            forms.clear()
            for pattern, check in of_country:
                if not pattern:
                    raise ValueError("an empty pattern")
                read_codes(pattern, identity.pattern)
                identity.check = check.encode()
                forms.push_back(identity)
            rules.identities.push_back(forms)
        add_words(rules.phone_words, phone_words)
        add_words(rules.other_words, other_words)
        add_words(rules.version_words, version_words)
        add_words(rules.ip_words, ip_words)
        self.kernel = new CppPersonalFinder(rules)

    def __dealloc__(self):
        del self.kernel

    def find(self, texts not None, uint64_t countries=0):
        cdef u32string codes
        cdef vector[Place] places
        cdef list found = []
        cdef uint32_t number = 0
        for text in texts:
            read_codes(text, codes)
            with nogil:
                places = self.kernel.find(codes, countries)
            for i in range(places.size()):
                found.append((number, <int><uint8_t>places[i].kind, places[i].start, places[i].end))
            number += 1
        return np.array(found, np.uint32).reshape(-1, 4)

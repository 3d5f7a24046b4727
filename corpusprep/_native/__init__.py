"""The C++20 kernels (native/): buffers in, plain values and arrays out."""

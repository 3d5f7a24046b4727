// Included before every source by `make plain`: no processor has any feature.
#define __builtin_cpu_supports(feature) 0

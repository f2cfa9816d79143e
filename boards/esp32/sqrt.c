/*
 * The SDK's pow (build/devices/esp32/lib/pow/e_pow.c, fdlibm's) calls fdlibm's name of the square root, a function inside of newlib's libm
 * that picolibc does not have. picolibc's sqrt is the same function: it neither calls this one nor sets errno. With newlib this would call
 * itself without end.
 */
#include <math.h>
#include "sdkconfig.h"

#if CONFIG_LIBC_PICOLIBC
double __ieee754_sqrt(double value)
{
	return sqrt(value);
}
#endif

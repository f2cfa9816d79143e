/* See chip.h. */
#include "chip.h"

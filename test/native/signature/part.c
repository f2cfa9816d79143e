/* The script is all there is to start. */
#include "harness.h"

void startPart(void) {}

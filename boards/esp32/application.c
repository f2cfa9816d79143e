#include "xsmc.h"
#include "mc.xs.h"
#include "esp_system.h"

/* restart() */
void xs_application_restart(xsMachine* the)
{
	esp_restart();
}

// SPDX-License-Identifier: MIT
/* XS's message queue. A file of its own: it needs all of the machine, which xsmc.h does not show. */
#include "xsAll.h"
#include "freertos/FreeRTOS.h"
#include "freertos/queue.h"

int queueRoom(txMachine* the)
{
	return (int)uxQueueSpacesAvailable(the->msgQueue);
}

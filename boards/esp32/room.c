// SPDX-License-Identifier: MIT
/* hasRoom of application.js, on the chip and in the Linux build. */
#include "xsAll.h"
#include "mc.xs.h"
#include "xsmc.h"

static bool isFree(txMachine *the, txInteger slots, txInteger bytes)
{
	return the->maximumHeapCount - the->currentHeapCount >= slots && the->maximumChunksSize - the->currentChunksSize >= bytes;
}

void xs_room_has(xsMachine *the)
{
	xsIntegerValue slots = xsmcToInteger(xsArg(0)), bytes = xsmcToInteger(xsArg(1));
	/* What is in use includes garbage. */
	if (!isFree(the, slots, bytes))
		xsCollectGarbage();
	xsmcSetBoolean(xsResult, isFree(the, slots, bytes));
}

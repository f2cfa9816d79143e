// SPDX-License-Identifier: MIT
#include "lwip/timeouts.h"
#include "sockets.h"

/* Those that found no room, oldest first; lwIP's timer runs while there are any. */
static Signal* late;
static bool isRetrying;

static bool post(Signal* signal)
{
	xsMachine* the = signal->owner->the;
	/* Without room the post would wait, for ever if XS waits for lwIP's task. */
	if (queueRoom(the) > QUEUE_RESERVE)
		signal->isPosted = !modMessagePostToMachine(the, NULL, 0, signal->deliver, signal->owner);
	return signal->isPosted;
}

static void postLate(void* unused)
{
	(void)unused;
	isRetrying = false;
	while (late && post(late)) {
		late->isLate = false;
		late = late->next;
	}
	if (!late)
		return;
	isRetrying = true;
	sys_timeout(RETRY_INTERVAL, postLate, NULL);
}

void signalEvent(Signal* signal, uint8_t event, modMessageDeliver deliver, Owner* owner)
{
	Signal** last;
	signal->events |= event;
	if (signal->isPosted || signal->isLate || !owner->the)
		return;
	signal->deliver = deliver;
	signal->owner = owner;
	if (post(signal))
		return;
	for (last = &late; *last; last = &(*last)->next)
		;
	*last = signal;
	signal->next = NULL;
	signal->isLate = true;
	if (isRetrying)
		return;
	isRetrying = true;
	sys_timeout(RETRY_INTERVAL, postLate, NULL);
}

bool endSignal(Signal* signal)
{
	Signal** at;
	for (at = &late; *at && *at != signal; at = &(*at)->next)
		;
	if (*at)
		*at = signal->next;
	signal->isLate = false;
	return signal->isPosted;
}

static xsSlot* readCallback(xsMachine* the, xsIdentifier name)
{
	xsSlot callback;
	xsmcGet(callback, xsArg(0), name);
	if (!xsmcTest(callback))
		return NULL;
	if (!xsmcIsCallable(callback))
		xsTypeError("not a function");
	return fxToReference(the, &callback);
}

void readCallbacks(xsMachine* the, Owner* owner)
{
	xsSlot target;
	owner->onReadable = readCallback(the, xsID_onReadable);
	owner->onWritable = readCallback(the, xsID_onWritable);
	owner->onError = readCallback(the, xsID_onError);
	if (xsmcHas(xsArg(0), xsID_target)) {
		xsmcGet(target, xsArg(0), xsID_target);
		xsmcSet(xsThis, xsID_target, target);
	}
}

void markOwner(xsMachine* the, void* data, xsMarkRoot markRoot)
{
	Owner* owner = data;
	if (!owner)
		return;
	if (owner->onReadable)
		markRoot(the, owner->onReadable);
	if (owner->onWritable)
		markRoot(the, owner->onWritable);
	if (owner->onError)
		markRoot(the, owner->onError);
}

void* openData(xsMachine* the, const xsHostHooks* hooks)
{
	void* data = xsmcGetHostDataValidate(xsThis, (void*)hooks);
	if (!data)
		xsTypeError("closed");
	return data;
}

void keepObject(xsMachine* the, Owner* owner)
{
	xsRemember(owner->object);
	modInstrumentationAdjust(NetworkSockets, +1);
}

void releaseObject(xsMachine* the, Owner* owner)
{
	owner->isClosed = true;
	owner->onReadable = owner->onWritable = owner->onError = NULL;
	xsForget(owner->object);
	modInstrumentationAdjust(NetworkSockets, -1);
}

void callBack(Owner* owner, xsSlot* callback, int32_t count, bool hasCount)
{
	xsBeginHost(owner->the);
	if (hasCount) {
		xsmcSetInteger(xsResult, count);
		xsCallFunction1(xsReference(callback), owner->object, xsResult);
	} else
		xsCallFunction0(xsReference(callback), owner->object);
	xsEndHost(owner->the);
}

uint16_t readPort(xsMachine* the, bool isOptional)
{
	xsSlot port;
	if (isOptional && !xsmcHas(xsArg(0), xsID_port))
		return 0;
	xsmcGet(port, xsArg(0), xsID_port);
	double value = xsmcToNumber(port);
	if (!(value >= 0 && value <= MAX_PORT))
		xsRangeError("invalid port");
	return (uint16_t)value;
}

void checkFormat(xsMachine* the, const char* format)
{
	xsSlot wanted;
	xsmcGet(wanted, xsArg(0), xsID_format);
	if (xsmcTest(wanted) && c_strcmp(xsmcToString(wanted), format))
		xsRangeError("invalid format");
}

/*
 * lwIP's start (sys_init) calls ESP-IDF's function of this name, which registers BSD sockets as files and so links them: some 11 KB that
 * nothing here uses. XS's natives alone call lwIP, so the linker meets this one before lwIP's archive; if it did not, ESP-IDF's would win.
 */
#pragma weak esp_vfs_lwip_sockets_register
void esp_vfs_lwip_sockets_register(void)
{
}

// SPDX-License-Identifier: MIT
#include "sockets.h"

void signalEvent(Signal* signal, uint8_t event, xsMachine* the, modMessageDeliver deliver, void* refcon)
{
	signal->events |= event;
	if (!signal->isPosted && the)
		signal->isPosted = !modMessagePostToMachine(the, NULL, 0, deliver, refcon);
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

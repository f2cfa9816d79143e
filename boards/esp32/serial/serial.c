// SPDX-License-Identifier: MIT
/*
 * embedded:io/serial (ECMA-419, serial class) over ESP-IDF's UART driver: the natives of serial.js. The driver's interrupt is in IRAM and
 * fills a ring buffer, also while flash is erased or the script is busy.
 *
 * The interrupt may not post to XS's queue: that code is in flash, and a full queue would lose the message. It wakes a task, which waits
 * until there is room. A port has at most one message in the queue. Task and ports are static, so that neither the interrupt, the task nor a
 * message ever refers to what is freed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "xsmc.h"
#include "xsHost.h"
#include "mc.xs.h"
#include "builtinCommon.h"

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "driver/uart.h"
#include "driver/uart_select.h"
#include "hal/uart_ll.h"
#include "esp_attr.h"

#define RECEIVE_BYTES 1024
/*
 * The interrupt comes at so many bytes in the FIFO of 128, or after so many idle character times. Until then the bytes cannot be read: at a
 * low baud rate it has to come earlier. One byte for each 1,200 baud: every 8.3 ms.
 */
#define MOST_THRESHOLD 96
#define THRESHOLD_BAUD 1200
#define IDLE_CHARACTERS 4
/* onWritable is called below this many bytes in the FIFO. */
#define TRANSMIT_THRESHOLD 10
#define MOST_BAUD 20000000
#define STACK_BYTES 2048
/* Above XS's task, which may be busy. */
#define PRIORITY 10

typedef struct {
	xsSlot object;
	xsSlot* onReadable;
	xsSlot* onWritable;
	uint8_t uart;
	uint8_t format;
	bool isWaitingForRoom;
	/* UART_PIN_NO_CHANGE: none. */
	int pins[3];
} Serial;

enum { TRANSMIT, RECEIVE, DIRECTION, PINS };

typedef struct {
	xsMachine* the;
	/* Written and read by XS's task only. */
	Serial* serial;
	/* Atomic: there is something to deliver; a message is in the queue; to be looked at with each tick. */
	bool isDue, isPosted, isTicking;
} Port;

static Port ports[UART_NUM_MAX];
static TaskHandle_t task;

static bool get(bool* flag)
{
	return __atomic_load_n(flag, __ATOMIC_SEQ_CST);
}

static bool set(bool* flag, bool value)
{
	return __atomic_exchange_n(flag, value, __ATOMIC_SEQ_CST);
}

/* In the driver's interrupt, once it has put bytes into the ring buffer. Flash may be out of reach. */
static void IRAM_ATTR hasReceived(uart_port_t uart, uart_select_notif_t what, BaseType_t* isWoken)
{
	if (what != UART_SELECT_READ_NOTIF)
		return;
	__atomic_store_n(&ports[uart].isDue, true, __ATOMIC_SEQ_CST);
	vTaskNotifyGiveFromISR(task, isWoken);
}

static void deliver(void* the, void* refcon, uint8_t* message, uint16_t messageLength);

static void serve(void* unused)
{
	(void)unused;
	for (;;) {
		bool isTicking = false;
		for (Port* port = ports; port < ports + UART_NUM_MAX; port++) {
			bool isDue = get(&port->isDue);
			if (get(&port->isTicking))
				isDue = isTicking = true;
			if (!isDue || set(&port->isPosted, true))
				continue;
			while (modMessagePostToMachine(port->the, NULL, 0, deliver, port))
				vTaskDelay(1);
		}
		ulTaskNotifyTake(pdTRUE, isTicking ? 1 : portMAX_DELAY);
	}
}

/* In XS's task */

static size_t received(Serial* serial)
{
	size_t count = 0;
	uart_get_buffered_data_len(serial->uart, &count);
	return count;
}

static uint32_t room(Serial* serial)
{
	return uart_ll_get_txfifo_len(UART_LL_GET_HW(serial->uart));
}

/* So that `deliver` is called. */
static void wake(bool* flag)
{
	set(flag, true);
	xTaskNotifyGive(task);
}

static void call(xsMachine* the, Serial* serial, xsSlot* callback, int32_t count)
{
	xsBeginHost(the);
	xsmcSetInteger(xsResult, count);
	xsCallFunction1(xsReference(callback), serial->object, xsResult);
	xsEndHost(the);
}

static void deliver(void* machine, void* refcon, uint8_t* message, uint16_t messageLength)
{
	xsMachine* the = machine;
	Port* port = refcon;
	(void)message, (void)messageLength;
	set(&port->isPosted, false);
	/* What comes from here on gets a message of its own. */
	set(&port->isDue, false);
	if (port->serial && port->serial->onReadable) {
		size_t before = received(port->serial);
		if (before)
			call(the, port->serial, port->serial->onReadable, before);
		/* What `read` has left, or made room for. The callback may have closed the port. */
		size_t left = before && port->serial ? received(port->serial) : 0;
		if (left && left != before)
			wake(&port->isDue);
	}
	Serial* serial = port->serial;
	if (!serial || !serial->isWaitingForRoom)
		return;
	uint32_t free = room(serial);
	if (free <= UART_HW_FIFO_LEN(serial->uart) - TRANSMIT_THRESHOLD)
		return;
	serial->isWaitingForRoom = false;
	set(&port->isTicking, false);
	call(the, serial, serial->onWritable, free);
}

static void waitForRoom(Serial* serial)
{
	if (!serial->onWritable || serial->isWaitingForRoom)
		return;
	serial->isWaitingForRoom = true;
	wake(&ports[serial->uart].isTicking);
}

/* Removes the driver; nothing is called from here on. */
static void release(Serial* serial)
{
	Port* port = &ports[serial->uart];
	uart_set_select_notif_callback(serial->uart, NULL);
	uart_driver_delete(serial->uart);
	set(&port->isTicking, false);
	set(&port->isDue, false);
	port->serial = NULL;
	for (int pin = 0; pin < PINS; pin++)
		if (serial->pins[pin] != UART_PIN_NO_CHANGE)
			builtinFreePin(serial->pins[pin]);
	c_free(serial);
}

void xs_serial_destructor(void* data)
{
	if (data)
		release(data);
}

static void mark(xsMachine* the, void* data, xsMarkRoot markRoot)
{
	Serial* serial = data;
	if (!serial)
		return;
	if (serial->onReadable)
		markRoot(the, serial->onReadable);
	if (serial->onWritable)
		markRoot(the, serial->onWritable);
}

static const xsHostHooks hooks = {xs_serial_destructor, mark, NULL};

static Serial* openSerial(xsMachine* the)
{
	Serial* serial = xsmcGetHostDataValidate(xsThis, (void*)&hooks);
	if (!serial)
		xsTypeError("closed");
	return serial;
}

static int readPin(xsMachine* the, xsSlot* slot)
{
	if (xsmcTypeOf(*slot) == xsUndefinedType)
		return UART_PIN_NO_CHANGE;
	int pin = builtinGetPin(the, slot);
	if (!builtinIsPinFree(pin))
		xsUnknownError("in use");
	return pin;
}

static uint8_t checkFormat(xsMachine* the, uint8_t format)
{
	if (format != kIOFormatNumber && format != kIOFormatBuffer)
		xsRangeError("invalid format");
	return format;
}

/* Installs the driver. The mode comes before the pins: without it the level of `direction` is that of a port that sends. */
static esp_err_t install(Serial* serial, int baud)
{
	uart_port_t uart = serial->uart;
	uart_config_t configuration = {
		.baud_rate = baud,
		.data_bits = UART_DATA_8_BITS,
		.parity = UART_PARITY_DISABLE,
		.stop_bits = UART_STOP_BITS_1,
		.flow_ctrl = UART_HW_FLOWCTRL_DISABLE,
	};
	int threshold = baud / THRESHOLD_BAUD;
	if (threshold < 1)
		threshold = 1;
	else if (threshold > MOST_THRESHOLD)
		threshold = MOST_THRESHOLD;
	esp_err_t error = uart_param_config(uart, &configuration);
	if (!error)
		error = uart_driver_install(uart, RECEIVE_BYTES, 0, 0, NULL, ESP_INTR_FLAG_IRAM);
	if (error)
		return error;
	if (serial->pins[DIRECTION] != UART_PIN_NO_CHANGE)
		error = uart_set_mode(uart, UART_MODE_RS485_HALF_DUPLEX);
	if (!error)
		error = uart_set_rx_full_threshold(uart, threshold);
	if (!error)
		error = uart_set_rx_timeout(uart, IDLE_CHARACTERS);
	if (!error)
		error = uart_set_pin(uart, serial->pins[TRANSMIT], serial->pins[RECEIVE], serial->pins[DIRECTION], UART_PIN_NO_CHANGE);
	if (error)
		uart_driver_delete(uart);
	return error;
}

/* Serial(options, direction): as the SDK's, and the pin of a transceiver's driver enable, if any: high while the port sends. */
void xs_serial_constructor(xsMachine* the)
{
	Serial wanted = {0};
	int uart = 0;
	xsmcVars(1);
	xsSetHostHooks(xsThis, (xsHostHooks*)&hooks);
	xsmcGet(xsVar(0), xsArg(0), xsID_transmit);
	wanted.pins[TRANSMIT] = readPin(the, &xsVar(0));
	xsmcGet(xsVar(0), xsArg(0), xsID_receive);
	wanted.pins[RECEIVE] = readPin(the, &xsVar(0));
	wanted.pins[DIRECTION] = readPin(the, &xsArg(1));
	if (wanted.pins[TRANSMIT] == UART_PIN_NO_CHANGE && wanted.pins[RECEIVE] == UART_PIN_NO_CHANGE)
		xsUnknownError("invalid");
	if (xsmcHas(xsArg(0), xsID_port)) {
		xsmcGet(xsVar(0), xsArg(0), xsID_port);
		uart = builtinGetSignedInteger(the, &xsVar(0));
		if (uart < 0 || uart >= UART_NUM_MAX)
			xsRangeError("invalid port");
	}
	wanted.uart = (uint8_t)uart;
	xsmcGet(xsVar(0), xsArg(0), xsID_baud);
	int baud = xsmcToInteger(xsVar(0));
	if (baud <= 0 || baud > MOST_BAUD)
		xsRangeError("invalid baud");
	wanted.onReadable = builtinGetCallback(the, xsID_onReadable);
	wanted.onWritable = builtinGetCallback(the, xsID_onWritable);
	if (wanted.pins[RECEIVE] == UART_PIN_NO_CHANGE)
		wanted.onReadable = NULL;
	if (wanted.pins[TRANSMIT] == UART_PIN_NO_CHANGE)
		wanted.onWritable = NULL;
	builtinInitializeTarget(the);
	wanted.format = checkFormat(the, builtinInitializeFormat(the, kIOFormatBuffer));
	if (uart_is_driver_installed(uart))
		xsRangeError("port in use");

	if (!task && xTaskCreate(serve, "serial", STACK_BYTES, NULL, PRIORITY, &task) != pdPASS)
		xsRangeError("no memory");
	Serial* serial = c_calloc(1, sizeof(Serial));
	if (!serial)
		xsRangeError("no memory");
	*serial = wanted;
	serial->object = xsThis;
	if (install(serial, baud)) {
		c_free(serial);
		xsUnknownError("uart failed");
	}
	xsmcSetHostData(xsThis, serial);
	for (int pin = 0; pin < PINS; pin++)
		if (serial->pins[pin] != UART_PIN_NO_CHANGE)
			builtinUsePin(serial->pins[pin]);
	xsRemember(serial->object);
	ports[uart].the = the;
	ports[uart].serial = serial;
	if (serial->onReadable)
		uart_set_select_notif_callback(uart, hasReceived);
	waitForRoom(serial);
}

void xs_serial_close(xsMachine* the)
{
	Serial* serial = xsmcGetHostDataValidate(xsThis, (void*)&hooks);
	if (!serial)
		return;
	xsmcSetHostData(xsThis, NULL);
	xsForget(serial->object);
	release(serial);
}

void xs_serial_get_format(xsMachine* the)
{
	builtinGetFormat(the, openSerial(the)->format);
}

void xs_serial_set_format(xsMachine* the)
{
	Serial* serial = openSerial(the);
	serial->format = checkFormat(the, builtinSetFormat(the));
}

/* read(), read(count), read(buffer): what has been received, at most; undefined if there is nothing. With a buffer, how many bytes it got. */
void xs_serial_read(xsMachine* the)
{
	Serial* serial = openSerial(the);
	size_t available = received(serial);
	void* bytes;
	if (!available)
		return;
	if (serial->format == kIOFormatNumber) {
		uint8_t byte = 0;
		if (uart_read_bytes(serial->uart, &byte, 1, 0) == 1)
			xsmcSetInteger(xsResult, byte);
		return;
	}
	xsUnsignedValue length = available;
	bool hasBuffer = xsmcArgc && xsmcTypeOf(xsArg(0)) == xsReferenceType;
	if (hasBuffer)
		xsmcGetBufferWritable(xsArg(0), &bytes, &length);
	else if (xsmcArgc) {
		int32_t count = xsmcToInteger(xsArg(0));
		length = count > 0 ? (xsUnsignedValue)count : 0;
	}
	if (!length)
		xsUnknownError("invalid");
	if (length > available)
		length = available;
	if (hasBuffer)
		xsmcSetInteger(xsResult, (xsIntegerValue)length);
	else
		bytes = xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)length);
	/* Only this task reads: so much is there. */
	uart_read_bytes(serial->uart, bytes, length, 0);
}

/* write(byte or buffer). Throws "output full" unless all of it fits the FIFO. */
void xs_serial_write(xsMachine* the)
{
	Serial* serial = openSerial(the);
	uint8_t byte;
	void* bytes = &byte;
	xsUnsignedValue length = 1;
	if (serial->format == kIOFormatNumber)
		byte = (uint8_t)xsmcToInteger(xsArg(0));
	else
		xsmcGetBufferReadable(xsArg(0), &bytes, &length);
	if (length > room(serial))
		xsUnknownError("output full");
	if (length)
		uart_tx_chars(serial->uart, bytes, length);
	waitForRoom(serial);
}

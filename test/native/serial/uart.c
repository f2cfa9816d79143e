/*
 * ESP-IDF 6.0.2's UART driver (components/esp_driver_uart/src/uart.c) and what it needs of FreeRTOS, on Linux: ring buffer, stash and FIFO
 * fill up and overflow as there. What comes on the line, and when the interrupt runs, is up to the script; a task is a thread.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "xsmc.h"
#include "xsHost.h"
#include "mc.xs.h"
#include "harness.h"
#include "driver/uart_select.h"
#include "freertos/task.h"
#include "hal/uart_ll.h"

#define FIFO_BYTES 128
#define MOST_SENT 4096

struct Task {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	uint32_t given;
	void (*run)(void*);
	void* data;
};

typedef struct {
	uint8_t* ring;
	size_t size, first, count;
	uint8_t stash[FIFO_BYTES];
	int stashed;
	bool isFull;
	int threshold, idle;
	uart_mode_t mode;
	uart_select_notif_callback_t callback;
} Driver;

typedef struct {
	Driver* driver;
	bool isConfigured, hasPins;
	int rts;
	/* The transceiver drives the line although nothing is being sent. */
	bool hasDriven;
	uint8_t fifo[FIFO_BYTES];
	int count;
	uint8_t sent[MOST_SENT];
	int unsent, sentCount;
	int overflows;
} Chip;

uart_dev_t uartRegisters[UART_NUM_MAX];
static Chip chips[UART_NUM_MAX];
/* Held while the interrupt runs, and by whom it may not interrupt. */
static pthread_mutex_t interrupts = PTHREAD_MUTEX_INITIALIZER;
typedef struct Task Task;
static __thread Task* self;
/* The name of the function that fails next. */
static char failing[64];

static bool fails(const char* function)
{
	if (strcmp(failing, function))
		return false;
	*failing = '\0';
	return true;
}

/* FreeRTOS */

static void* runTask(void* data)
{
	self = data;
	self->run(self->data);
	abort();
}

BaseType_t xTaskCreate(void (*run)(void*), const char* name, uint32_t stack, void* data, int priority, TaskHandle_t* task)
{
	(void)name, (void)priority;
	if (fails("xTaskCreate"))
		return -1;
	if (stack < 1536)
		abort();
	Task* made = *task = calloc(1, sizeof(Task));
	pthread_mutex_init(&made->lock, NULL);
	pthread_cond_init(&made->change, NULL);
	made->run = run;
	made->data = data;
	if (pthread_create(&made->thread, NULL, runTask, made))
		abort();
	return pdPASS;
}

void xTaskNotifyGive(TaskHandle_t task)
{
	pthread_mutex_lock(&task->lock);
	task->given++;
	pthread_cond_signal(&task->change);
	pthread_mutex_unlock(&task->lock);
}

void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t* isWoken)
{
	*isWoken = pdTRUE;
	xTaskNotifyGive(task);
}

uint32_t ulTaskNotifyTake(BaseType_t clears, TickType_t ticks)
{
	(void)clears;
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 1000000L * (ticks == portMAX_DELAY ? 0 : ticks);
	if (until.tv_nsec >= 1000000000L) {
		until.tv_nsec -= 1000000000L;
		until.tv_sec++;
	}
	pthread_mutex_lock(&self->lock);
	while (!self->given)
		if (ticks == portMAX_DELAY)
			pthread_cond_wait(&self->change, &self->lock);
		else if (pthread_cond_timedwait(&self->change, &self->lock, &until))
			break;
	uint32_t given = self->given;
	self->given = 0;
	pthread_mutex_unlock(&self->lock);
	return given;
}

void vTaskDelay(TickType_t ticks)
{
	usleep(1000 * ticks);
}

/* The interrupt */

static bool put(Driver* driver, const uint8_t* bytes, int count)
{
	if (driver->size - driver->count < (size_t)count)
		return false;
	for (int at = 0; at < count; at++)
		driver->ring[(driver->first + driver->count++) % driver->size] = bytes[at];
	return true;
}

static void tell(uart_port_t uart, uart_select_notif_t what)
{
	BaseType_t isWoken = pdFALSE;
	if (chips[uart].driver->callback)
		chips[uart].driver->callback(uart, what, &isWoken);
}

static void takeFifo(uart_port_t uart)
{
	Chip* chip = &chips[uart];
	Driver* driver = chip->driver;
	if (driver->isFull || !chip->count)
		return;
	memcpy(driver->stash, chip->fifo, chip->count);
	driver->stashed = chip->count;
	chip->count = 0;
	if (put(driver, driver->stash, driver->stashed))
		tell(uart, UART_SELECT_READ_NOTIF);
	else
		driver->isFull = true;
}

static void hear(uart_port_t uart, uint8_t byte)
{
	Chip* chip = &chips[uart];
	if (!chip->driver)
		return;
	if (chip->count == FIFO_BYTES) {
		chip->overflows += FIFO_BYTES + 1;
		chip->count = 0;
		tell(uart, UART_SELECT_ERROR_NOTIF);
		return;
	}
	chip->fifo[chip->count++] = byte;
	if (chip->count >= chip->driver->threshold)
		takeFifo(uart);
}

/* The driver */

esp_err_t uart_param_config(uart_port_t uart, const uart_config_t* configuration)
{
	if (fails("uart_param_config") || configuration->baud_rate <= 0)
		return ESP_FAIL;
	chips[uart].isConfigured = true;
	return ESP_OK;
}

esp_err_t uart_driver_install(uart_port_t uart, int receive, int transmit, int events, void** queue, int flags)
{
	Chip* chip = &chips[uart];
	/* Half made, it is given back there. */
	if (fails("uart_driver_install") || chip->driver || receive <= FIFO_BYTES || transmit || events || queue)
		return ESP_FAIL;
	if (!(flags & ESP_INTR_FLAG_IRAM))
		abort();
	Driver* driver = calloc(1, sizeof(Driver));
	driver->ring = calloc(1, receive);
	driver->size = receive;
	driver->threshold = 120;
	driver->idle = 10;
	chip->driver = driver;
	chip->count = chip->overflows = chip->sentCount = chip->unsent = 0;
	return ESP_OK;
}

esp_err_t uart_driver_delete(uart_port_t uart)
{
	Chip* chip = &chips[uart];
	pthread_mutex_lock(&interrupts);
	if (chip->driver) {
		free(chip->driver->ring);
		free(chip->driver);
		chip->driver = NULL;
	}
	chip->isConfigured = chip->hasPins = chip->hasDriven = false;
	pthread_mutex_unlock(&interrupts);
	return ESP_OK;
}

bool uart_is_driver_installed(uart_port_t uart)
{
	return chips[uart].driver;
}

esp_err_t uart_set_mode(uart_port_t uart, uart_mode_t mode)
{
	if (fails("uart_set_mode"))
		return ESP_FAIL;
	if (!chips[uart].driver)
		return ESP_ERR_INVALID_STATE;
	chips[uart].driver->mode = mode;
	return ESP_OK;
}

esp_err_t uart_set_pin(uart_port_t uart, int transmit, int receive, int rts, int cts)
{
	(void)transmit, (void)receive, (void)cts;
	if (fails("uart_set_pin"))
		return ESP_FAIL;
	chips[uart].hasPins = true;
	chips[uart].rts = rts;
	/* RTS is high then: sw_rts is 0 until the mode sets it. */
	if (rts >= 0 && !(chips[uart].driver && chips[uart].driver->mode == UART_MODE_RS485_HALF_DUPLEX))
		chips[uart].hasDriven = true;
	return ESP_OK;
}

esp_err_t uart_set_rx_full_threshold(uart_port_t uart, int threshold)
{
	if (fails("uart_set_rx_full_threshold") || threshold <= 0 || threshold >= FIFO_BYTES)
		return ESP_ERR_INVALID_ARG;
	if (!chips[uart].driver)
		return ESP_ERR_INVALID_STATE;
	chips[uart].driver->threshold = threshold;
	return ESP_OK;
}

esp_err_t uart_set_rx_timeout(uart_port_t uart, uint8_t characters)
{
	if (fails("uart_set_rx_timeout"))
		return ESP_ERR_INVALID_ARG;
	if (chips[uart].driver)
		chips[uart].driver->idle = characters;
	return ESP_OK;
}

void uart_set_select_notif_callback(uart_port_t uart, uart_select_notif_callback_t callback)
{
	if (chips[uart].driver)
		__atomic_store_n(&chips[uart].driver->callback, callback, __ATOMIC_SEQ_CST);
}

esp_err_t uart_get_buffered_data_len(uart_port_t uart, size_t* count)
{
	if (!chips[uart].driver)
		return ESP_FAIL;
	pthread_mutex_lock(&interrupts);
	*count = chips[uart].driver->count;
	pthread_mutex_unlock(&interrupts);
	return ESP_OK;
}

int uart_read_bytes(uart_port_t uart, void* bytes, uint32_t length, uint32_t ticks)
{
	Driver* driver = chips[uart].driver;
	uint32_t done = 0;
	if (!bytes || !driver)
		return -1;
	if (ticks)
		abort();
	pthread_mutex_lock(&interrupts);
	while (done < length) {
		if (driver->count) {
			((uint8_t*)bytes)[done++] = driver->ring[driver->first];
			driver->first = (driver->first + 1) % driver->size;
			driver->count--;
		}
		bool hasMore = driver->isFull && put(driver, driver->stash, driver->stashed);
		if (hasMore) {
			driver->isFull = false;
			if (chips[uart].count >= driver->threshold)
				takeFifo(uart);
		}
		if (!driver->count && !hasMore)
			break;
	}
	pthread_mutex_unlock(&interrupts);
	return done;
}

int uart_tx_chars(uart_port_t uart, const char* bytes, uint32_t length)
{
	Chip* chip = &chips[uart];
	if (!chip->driver)
		return -1;
	uint32_t count = length;
	if (count > (uint32_t)(FIFO_BYTES - chip->unsent))
		count = FIFO_BYTES - chip->unsent;
	if (chip->sentCount + count > MOST_SENT)
		abort();
	memcpy(chip->sent + chip->sentCount, bytes, count);
	chip->sentCount += count;
	chip->unsent += count;
	return count;
}

uint32_t uart_ll_get_txfifo_len(uart_dev_t* registers)
{
	return FIFO_BYTES - chips[registers - uartRegisters].unsent;
}

/* The line: natives of the script */

/* wire_hear(uart, first, count): so many bytes from `first` on come without a pause. */
void wire_hear(xsMachine* the)
{
	int uart = xsmcToInteger(xsArg(0)), first = xsmcToInteger(xsArg(1)), count = xsmcToInteger(xsArg(2));
	pthread_mutex_lock(&interrupts);
	for (int at = 0; at < count; at++)
		hear(uart, (uint8_t)(first + at));
	pthread_mutex_unlock(&interrupts);
}

/* wire_idle(uart): the line has been silent for some characters. */
void wire_idle(xsMachine* the)
{
	int uart = xsmcToInteger(xsArg(0));
	pthread_mutex_lock(&interrupts);
	if (chips[uart].driver)
		takeFifo(uart);
	pthread_mutex_unlock(&interrupts);
}

/* wire_error(uart): a framing error. */
void wire_error(xsMachine* the)
{
	pthread_mutex_lock(&interrupts);
	tell(xsmcToInteger(xsArg(0)), UART_SELECT_ERROR_NOTIF);
	pthread_mutex_unlock(&interrupts);
}

/* wire_drain(uart, count, echoes): so many bytes leave the transmit FIFO. */
void wire_drain(xsMachine* the)
{
	int uart = xsmcToInteger(xsArg(0)), count = xsmcToInteger(xsArg(1));
	bool echoes = xsmcArgc > 2 && xsmcTest(xsArg(2));
	Chip* chip = &chips[uart];
	pthread_mutex_lock(&interrupts);
	for (; count && chip->unsent; count--, chip->unsent--)
		if (echoes)
			hear(uart, chip->sent[chip->sentCount - chip->unsent]);
	if (!chip->unsent && chip->driver->mode == UART_MODE_RS485_HALF_DUPLEX)
		chip->count = 0;
	pthread_mutex_unlock(&interrupts);
}

static struct {
	int uart, count;
} storm;

static void* runStorm(void* unused)
{
	(void)unused;
	for (int at = 0; at < storm.count; at++) {
		for (bool hasRoom = false; !hasRoom;) {
			pthread_mutex_lock(&interrupts);
			Driver* driver = chips[storm.uart].driver;
			hasRoom = !driver || driver->count < driver->size / 2;
			if (hasRoom) {
				hear(storm.uart, (uint8_t)at);
				if (at % 37 == 0 || at == storm.count - 1)
					if (driver)
						takeFifo(storm.uart);
			}
			pthread_mutex_unlock(&interrupts);
		}
	}
	return NULL;
}

/* wire_storm(uart, count): bytes come while the script runs. */
void wire_storm(xsMachine* the)
{
	pthread_t thread;
	storm.uart = xsmcToInteger(xsArg(0));
	storm.count = xsmcToInteger(xsArg(1));
	if (pthread_create(&thread, NULL, runStorm, NULL))
		abort();
	pthread_detach(thread);
}

/* wire_fail(name): that function fails once. */
void wire_fail(xsMachine* the)
{
	xsmcToStringBuffer(xsArg(0), failing, sizeof(failing));
}

static void tellNumber(xsMachine* the, int at, int value)
{
	xsmcSetInteger(xsVar(0), value);
	xsmcSetIndex(xsResult, at, xsVar(0));
}

/* wire_state(uart): installed, threshold, idle, mode, rts, hasDriven, overflows, sent. */
void wire_state(xsMachine* the)
{
	Chip* chip = &chips[xsmcToInteger(xsArg(0))];
	Driver* driver = chip->driver;
	xsmcVars(1);
	xsResult = xsNewArray(0);
	tellNumber(the, 0, driver != NULL);
	tellNumber(the, 1, driver ? driver->threshold : -1);
	tellNumber(the, 2, driver ? driver->idle : -1);
	tellNumber(the, 3, driver ? (int)driver->mode : -1);
	tellNumber(the, 4, chip->rts);
	tellNumber(the, 5, chip->hasDriven);
	tellNumber(the, 6, chip->overflows);
	tellNumber(the, 7, chip->sentCount);
}

void startPart(void)
{
}

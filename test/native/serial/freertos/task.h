#ifndef __TASK__
#define __TASK__

#include "freertos/FreeRTOS.h"

typedef struct Task* TaskHandle_t;
BaseType_t xTaskCreate(void (*run)(void*), const char* name, uint32_t stack, void* data, int priority, TaskHandle_t* task);
void xTaskNotifyGive(TaskHandle_t task);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t* isWoken);
uint32_t ulTaskNotifyTake(BaseType_t clears, TickType_t ticks);
void vTaskDelay(TickType_t ticks);

#endif

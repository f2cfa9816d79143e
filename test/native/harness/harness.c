/*
 * The product's C under test on Linux: the XS engine of npm's @agoric/xsnap, whose script calls the natives by their names
 * (native("xs_…"), Native("xs_…") as on the device), a queue of messages in place of FreeRTOS's, timers, lines in and lines out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "xsAll.h"
#include "xs.h"
#include "xsHost.h"
#include "harness.h"
#include "mc.xs.h"

#define MAX_TIMERS 32
#define MAX_LINE 65536
/* As many as the manifest gives the device's queue. */
#define MAX_MESSAGES 48

typedef struct {
	modMessageDeliver callback;
	void* refcon;
} Message;

typedef struct {
	/* `isUsed` until its callback has returned. */
	bool isSet, isUsed;
	int64_t when;
	xsSlot callback;
} Waiting;

void (*messagesWait)(void);

static Message messages[MAX_MESSAGES];
static int firstMessage, messageCount, mostMessages;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t hasRoom = PTHREAD_COND_INITIALIZER;
/* Tasks that wait for room in the queue. */
static int waitingPosts;
/* The script's task takes no message out of it. */
static bool isHeld;
static pthread_t scriptTask;
static int wake;
static Waiting timers[MAX_TIMERS];
static struct pollfd watched[MAX_WATCHED];
static struct {
	Ready ready;
	void* data;
} watchers[MAX_WATCHED];
static xsSlot lineListener;
static bool hasLineListener, isOver;
static int status;
/* So many messages find no room in the queue. */
static int postsLeft;
/* Allocations until one fails; below zero: none does. */
static int allocationsLeft = -1;

xsIdentifier harnessIds[harness_names];

void* harnessCalloc(size_t count, size_t size)
{
	int left = __atomic_load_n(&allocationsLeft, __ATOMIC_SEQ_CST);
	if (left == 0)
		return NULL;
	if (left > 0)
		__atomic_sub_fetch(&allocationsLeft, 1, __ATOMIC_SEQ_CST);
	return calloc(count, size);
}

int modMessagePostToMachine(xsMachine* the, uint8_t* message, uint16_t messageLength, modMessageDeliver callback, void* refcon)
{
	(void)the, (void)message, (void)messageLength;
	uint64_t one = 1;
	pthread_mutex_lock(&lock);
	if (postsLeft > 0) {
		postsLeft--;
		pthread_mutex_unlock(&lock);
		return -2;
	}
	/* xs/platforms/esp/xsHost.c: a task waits until there is room, for ever (MODDEF_TASK_QUEUEWAIT of a release build). */
	if (messageCount == MAX_MESSAGES && pthread_equal(pthread_self(), scriptTask)) {
		fprintf(stderr, "XS's task would wait for itself\n");
		abort();
	}
	waitingPosts++;
	while (messageCount == MAX_MESSAGES)
		pthread_cond_wait(&hasRoom, &lock);
	waitingPosts--;
	messages[(firstMessage + messageCount++) % MAX_MESSAGES] = (Message){callback, refcon};
	if (messageCount > mostMessages)
		mostMessages = messageCount;
	pthread_mutex_unlock(&lock);
	return write(wake, &one, sizeof(one)) == sizeof(one) ? 0 : -1;
}

int queueRoom(xsMachine* the)
{
	(void)the;
	pthread_mutex_lock(&lock);
	int room = MAX_MESSAGES - messageCount;
	pthread_mutex_unlock(&lock);
	return room;
}

bool postsWait(void)
{
	pthread_mutex_lock(&lock);
	bool result = waitingPosts > 0 && messageCount == MAX_MESSAGES;
	pthread_mutex_unlock(&lock);
	return result;
}

static int64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

int watch(int descriptor, short events, Ready ready, void* data)
{
	for (int at = 0; at < MAX_WATCHED; at++)
		if (!watchers[at].ready) {
			watched[at] = (struct pollfd){descriptor, events, 0};
			watchers[at].ready = ready;
			watchers[at].data = data;
			return at;
		}
	abort();
}

void rewatch(int index, short events)
{
	watched[index].events = events;
}

void unwatch(int index)
{
	watchers[index].ready = NULL;
	watched[index].fd = -1;
}

static void call(xsMachine* the, xsSlot callback, const char* text)
{
	xsBeginHost(the);
	xsTry {
		if (text)
			xsCallFunction1(callback, xsGlobal, xsString((char*)text));
		else
			xsCallFunction0(callback, xsGlobal);
	}
	xsCatch {
		fprintf(stderr, "%s\n", xsToString(xsException));
		isOver = true;
		status = 1;
	}
	xsEndHost(the);
}

static void readLine(xsMachine* the, void* data, short events)
{
	(void)data, (void)events;
	static char line[MAX_LINE];
	static size_t length;
	ssize_t count = read(STDIN_FILENO, line + length, sizeof(line) - length);
	if (count <= 0) {
		isOver = true;
		return;
	}
	length += count;
	for (char* end; (end = memchr(line, '\n', length));) {
		*end = '\0';
		if (hasLineListener)
			call(the, lineListener, line);
		length -= end + 1 - line;
		memmove(line, end + 1, length);
	}
}

static bool deliverMessage(xsMachine* the)
{
	pthread_mutex_lock(&lock);
	bool hasOne = messageCount > 0;
	Message message = messages[firstMessage];
	if (hasOne) {
		firstMessage = (firstMessage + 1) % MAX_MESSAGES;
		messageCount--;
		pthread_cond_signal(&hasRoom);
	}
	pthread_mutex_unlock(&lock);
	if (hasOne)
		message.callback(the, message.refcon, NULL, 0);
	return hasOne;
}

static void runTimers(xsMachine* the)
{
	int64_t time = now();
	for (int at = 0; at < MAX_TIMERS && !isOver; at++)
		if (timers[at].isSet && timers[at].when <= time) {
			timers[at].isSet = false;
			call(the, timers[at].callback, NULL);
			fxForget(the, &timers[at].callback);
			timers[at].isUsed = false;
		}
}

void runPromiseJobs(xsMachine* the)
{
	while (the->promiseJobs) {
		the->promiseJobs = 0;
		fxRunPromiseJobs(the);
	}
}

void deliverMessages(xsMachine* the)
{
	while (deliverMessage(the))
		runPromiseJobs(the);
}

void endProgram(int with)
{
	isOver = true;
	status = with;
}

static int untilTimer(void)
{
	int64_t wait = messageCount && !messagesWait && !isHeld ? 0 : 1000, time = now();
	for (int at = 0; at < MAX_TIMERS; at++)
		if (timers[at].isSet && timers[at].when - time < wait)
			wait = timers[at].when > time ? timers[at].when - time : 0;
	return (int)wait;
}

static void loop(xsMachine* the)
{
	uint64_t count;
	while (!isOver) {
		poll(watched, MAX_WATCHED, untilTimer());
		bool isWoken = watched[0].revents;
		if (isWoken && read(wake, &count, sizeof(count)) < 0)
			break;
		for (int at = 1; at < MAX_WATCHED; at++)
			if (watchers[at].ready && watched[at].fd >= 0 && watched[at].revents)
				watchers[at].ready(the, watchers[at].data, watched[at].revents);
		if (!messagesWait) {
			if (!isHeld)
				deliverMessage(the);
		} else if (isWoken)
			messagesWait();
		runTimers(the);
		runPromiseJobs(the);
	}
}

/* native(name): the function of that name in this program. */
static void harness_native(xsMachine* the)
{
	char name[64];
	xsToStringBuffer(xsArg(0), name, sizeof(name));
	xsCallback function = (xsCallback)dlsym(RTLD_DEFAULT, name);
	if (!function)
		xsUnknownError("no native %s", name);
	xsResult = xsNewHostFunction(function, 0);
}

/* hostObject(destructor): what Native of the device makes of `this`. */
static void harness_hostObject(xsMachine* the)
{
	char name[64];
	xsToStringBuffer(xsArg(0), name, sizeof(name));
	xsResult = xsNewHostObject((xsDestructor)dlsym(RTLD_DEFAULT, name));
}

/* say(text): a line to standard output. */
static void harness_say(xsMachine* the)
{
	printf("%s\n", xsToString(xsArg(0)));
	fflush(stdout);
}

/* onLine(callback): with each line of standard input. */
static void harness_onLine(xsMachine* the)
{
	if (hasLineListener)
		xsForget(lineListener);
	lineListener = xsArg(0);
	xsRemember(lineListener);
	hasLineListener = true;
}

/* setTimer(callback, ms): its number. */
static void harness_setTimer(xsMachine* the)
{
	for (int at = 0; at < MAX_TIMERS; at++)
		if (!timers[at].isUsed) {
			timers[at].isSet = timers[at].isUsed = true;
			timers[at].when = now() + xsToInteger(xsArg(1));
			timers[at].callback = xsArg(0);
			fxRemember(the, &timers[at].callback);
			xsResult = xsInteger(at);
			return;
		}
	xsUnknownError("no timer left");
}

/* clearTimer(number) */
static void harness_clearTimer(xsMachine* the)
{
	Waiting* timer = &timers[xsToInteger(xsArg(0))];
	if (!timer->isSet)
		return;
	fxForget(the, &timer->callback);
	timer->isSet = timer->isUsed = false;
}

/* failAllocations(after): the product's allocations fail after so many; below zero: never. */
static void harness_failAllocations(xsMachine* the)
{
	__atomic_store_n(&allocationsLeft, xsToInteger(xsArg(0)), __ATOMIC_SEQ_CST);
}

/* failPosts(count): so many messages from now on find no room in the queue. Returns how many were left of the last. */
static void harness_failPosts(xsMachine* the)
{
	pthread_mutex_lock(&lock);
	xsResult = xsInteger(postsLeft);
	postsLeft = xsToInteger(xsArg(0));
	pthread_mutex_unlock(&lock);
}

/* holdMessages(whether): the queue keeps what it has, and what comes. */
static void harness_holdMessages(xsMachine* the)
{
	isHeld = xsToBoolean(xsArg(0));
}

static void deliverNothing(void* the, void* refcon, uint8_t* message, uint16_t messageLength)
{
	(void)the, (void)refcon, (void)message, (void)messageLength;
}

/* fillQueue(left): with messages of others, until only so many more find room. Returns how many. */
static void harness_fillQueue(xsMachine* the)
{
	int left = xsToInteger(xsArg(0)), count = 0;
	for (; queueRoom(the) > left; count++)
		modMessagePostToMachine(the, NULL, 0, deliverNothing, NULL);
	xsResult = xsInteger(count);
}

/* roomInQueue(): messages that still fit. */
static void harness_roomInQueue(xsMachine* the)
{
	xsResult = xsInteger(queueRoom(the));
}

/* mostMessages(): that waited at once. */
static void harness_mostMessages(xsMachine* the)
{
	xsResult = xsInteger(mostMessages);
}

/* microseconds(): of this process. */
static void harness_microseconds(xsMachine* the)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	xsResult = xsNumber(time.tv_sec * 1e6 + time.tv_nsec / 1e3);
}

static void harness_collect(xsMachine* the)
{
	xsCollectGarbage();
}

static void define(xsMachine* the, char* name, xsCallback function)
{
	xsVar(0) = xsNewHostFunction(function, 0);
	xsDefine(xsGlobal, xsID(name), xsVar(0), xsDontEnum);
}

static char* load(const char* path)
{
	FILE* file = fopen(path, "r");
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	long length = ftell(file);
	rewind(file);
	char* text = calloc(1, length + 1);
	if (fread(text, 1, length, file) != (size_t)length)
		return NULL;
	fclose(file);
	return text;
}

static void run(xsMachine* machine, const char* path)
{
	char* script = load(path);
	if (!script)
		exit(2);
	xsBeginHost(machine);
	xsVars(1);
	xsTry {
#define NAME(name) harnessIds[harness_##name] = xsID(#name);
		HARNESS_NAMES(NAME)
#undef NAME
		define(the, "native", harness_native);
		define(the, "hostObject", harness_hostObject);
		define(the, "say", harness_say);
		define(the, "onLine", harness_onLine);
		define(the, "setTimer", harness_setTimer);
		define(the, "clearTimer", harness_clearTimer);
		define(the, "failAllocations", harness_failAllocations);
		define(the, "failPosts", harness_failPosts);
		define(the, "holdMessages", harness_holdMessages);
		define(the, "fillQueue", harness_fillQueue);
		define(the, "roomInQueue", harness_roomInQueue);
		define(the, "mostMessages", harness_mostMessages);
		define(the, "microseconds", harness_microseconds);
		define(the, "collect", harness_collect);
		xsCall1(xsGlobal, xsID("eval"), xsString(script));
	}
	xsCatch {
		fprintf(stderr, "%s\n", xsToString(xsException));
		isOver = true;
		status = 1;
	}
	xsEndHost(machine);
	free(script);
}

int main(int count, char** parameters)
{
	xsCreation creation = {
		.initialChunkSize = 4 * 1024 * 1024,
		.incrementalChunkSize = 1024 * 1024,
		.initialHeapCount = 65536,
		.incrementalHeapCount = 32768,
		.stackCount = 4096,
		.initialKeyCount = 2048,
		.incrementalKeyCount = 2048,
		.nameModulo = 1993,
		.symbolModulo = 127,
		.parserBufferSize = 1024 * 1024,
		.parserTableModulo = 1993,
	};
	if (count != 2)
		return 2;
	for (int at = 0; at < MAX_WATCHED; at++)
		watched[at].fd = -1;
	wake = eventfd(0, EFD_NONBLOCK);
	scriptTask = pthread_self();
	watch(wake, POLLIN, (Ready)abort, NULL);
	startPart();
	if (!messagesWait)
		watch(STDIN_FILENO, POLLIN, readLine, NULL);
	xsMachine* the = xsCreateMachine(&creation, "harness", NULL);
	run(the, parameters[1]);
	loop(the);
	xsDeleteMachine(the);
	return status;
}

/* What the live slots of XS's heap belong to. For looking into memory: nothing of the firmware needs it. */
#include "xsAll.h"
#include "mc.xs.h"
#include "xs.h"
#include <stdio.h>
#include <string.h>

#define KINDS 512
#define NAME 48

typedef struct {
	char name[NAME];
	int instances, slots;
} Entry;

static txSlot* ownProperty(txSlot* instance, txID id)
{
	txSlot* property = instance->next;
	while (property && property->ID != id)
		property = property->next;
	return property;
}

static int isCode(txSlot* slot)
{
	return slot && (slot->kind == XS_CODE_KIND || slot->kind == XS_CODE_X_KIND || slot->kind == XS_CALLBACK_KIND || slot->kind == XS_CALLBACK_X_KIND);
}

/* Of a class its name, of a function "function" and its name. */
static void nameOf(txMachine* the, txSlot* instance, char* name)
{
	char text[NAME] = "";
	txSlot* prototype = instance->value.instance.prototype;
	if (isCode(instance->next)) {
		fxIDToString(the, instance->next->ID, text, NAME - 12);
		snprintf(name, NAME, "function %s", text);
		return;
	}
	if (!prototype) {
		strcpy(name, "(closure)");
		return;
	}
	txSlot* property = ownProperty(prototype, mxID(_constructor));
	if (property && property->kind == XS_REFERENCE_KIND && isCode(property->value.reference->next))
		fxIDToString(the, property->value.reference->next->ID, text, NAME);
	snprintf(name, NAME, "%s", text[0] ? text : "(other)");
}

static int listLength(txSlot* slot)
{
	int length = 0;
	for (; slot; slot = slot->next)
		length++;
	return length;
}

static int slotsOf(txSlot* instance)
{
	int slots = 1;
	for (txSlot* property = instance->next; property; property = property->next) {
		slots++;
		if (property->kind == XS_PRIVATE_KIND)
			slots += listLength(property->value.private.first);
		else if (property->kind == XS_LIST_KIND)
			slots += listLength(property->value.list.first);
	}
	return slots;
}

/* census(): a line for each class of object, and the sum. */
void xs_linux_census(xsMachine* the)
{
	static Entry entries[KINDS];
	int count = 0, total = 0;
	xsCollectGarbage();
	memset(entries, 0, sizeof(entries));
	for (txSlot* heap = the->firstHeap; heap; heap = heap->next) {
		txSlot* limit = heap->value.reference;
		for (txSlot* slot = heap + 1; slot < limit; slot++) {
			char name[NAME];
			int at = 0;
			if (slot->kind != XS_INSTANCE_KIND)
				continue;
			nameOf(the, slot, name);
			while (at < count && strcmp(entries[at].name, name))
				at++;
			if (at == count) {
				if (count == KINDS - 1)
					continue;
				strcpy(entries[count++].name, name);
			}
			entries[at].instances++;
			entries[at].slots += slotsOf(slot);
			total += slotsOf(slot);
		}
	}
	for (int at = 0; at < count; at++)
		printf("census %d %d %s\n", entries[at].slots, entries[at].instances, entries[at].name);
	printf("census %d 0 (captured variables, keys, elements)\n", (int)the->currentHeapCount - total);
	fflush(stdout);
}

// SPDX-License-Identifier: MIT
/* Counts the live slots of XS's heap by owner. A debugging aid, unused by the firmware. */
#include "xsAll.h"
#include "mc.xs.h"
#include "xs.h"
#include <stdio.h>
#include <string.h>

#define KINDS 512
#define NAME 80

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

static void append(txMachine* the, char* name, const char* between, txID id)
{
	char text[NAME] = "";
	size_t length = strlen(name);
	if (id != XS_NO_ID)
		fxIDToString(the, id, text, NAME);
	snprintf(name + length, NAME - length, "%s%s", between, text);
}

/* Labels a slot: classes and functions by name, other objects and closures by their first property names. */
static void nameOf(txMachine* the, txSlot* instance, char* name)
{
	txSlot* prototype = instance->value.instance.prototype;
	*name = 0;
	if (isCode(instance->next)) {
		append(the, name, "function ", instance->next->ID);
		return;
	}
	if (prototype) {
		txSlot* property = ownProperty(prototype, mxID(_constructor));
		if (property && property->kind == XS_REFERENCE_KIND && isCode(property->value.reference->next))
			append(the, name, "", property->value.reference->next->ID);
	}
	else
		strcpy(name, "captured");
	if (!prototype || !strcmp(name, "Object") || !*name)
		for (txSlot* property = instance->next; property; property = property->next)
			append(the, name, " ", property->ID);
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

/* census(): one line per class of object, and the total. */
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
	printf("census %d 0 (values of captured variables, elements of maps)\n", (int)the->currentHeapCount - total);
	fflush(stdout);
}

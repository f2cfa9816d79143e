// SPDX-License-Identifier: MIT
/*
 * Resource files, which the device has in flash: here from the folders in BMS_RESOURCES (a:b), mapped on first use and never unmapped.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

const void* mcGetResource(void* the, const char* path, size_t* size)
{
	static GHashTable* files;
	const char* named = getenv("BMS_RESOURCES");
	(void)the;
	if (!named || strchr(path, '/'))
		return NULL;
	if (!files)
		files = g_hash_table_new(g_str_hash, g_str_equal);
	GMappedFile* file = g_hash_table_lookup(files, path);
	if (!file) {
		gchar** folders = g_strsplit(named, ":", 0);
		for (gchar** folder = folders; *folder && !file; folder++) {
			gchar* name = g_build_filename(*folder, path, NULL);
			file = g_mapped_file_new(name, FALSE, NULL);
			g_free(name);
		}
		g_strfreev(folders);
		if (!file)
			return NULL;
		g_hash_table_insert(files, g_strdup(path), file);
	}
	*size = g_mapped_file_get_length(file);
	return g_mapped_file_get_contents(file);
}

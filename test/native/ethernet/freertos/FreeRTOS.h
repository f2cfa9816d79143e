/* See ethernet-esp32.c beside this folder. */

import { expect, it } from "vitest";
import { BLOCKS, type Kind } from "../../../host-sim/bms/fields";
import { Image } from "../../../host-sim/bms/image";

const RANGES: readonly (readonly [kind: Kind, least: number, most: number])[] = [
  ["u8", 0, 255],
  ["i8", -128, 127],
  ["u16", 0, 65_535],
  ["i16", -32_768, 32_767],
  ["u32", 0, 4_294_967_295],
  ["i32", -2_147_483_648, 2_147_483_647],
];

/** The name of a field of this type. */
function nameOf(kind: Kind): string {
  const field = BLOCKS.flatMap(({ fields }) => fields).find((one) => one.kind === kind);
  if (!field) throw new Error(`no field is ${kind}`);
  return field.name;
}

it.each(RANGES)(
  "a field of type %s holds %i to %i, and the nearest of these for anything else",
  (kind, least, most) => {
    const image = new Image();
    const name = nameOf(kind);
    const kept = [least - 1, least, least + 1, most - 1, most, most + 1].map((value) => {
      image.write(name, value);
      return image.read(name);
    });
    expect(kept).toEqual([least, least, least + 1, most - 1, most, most]);
  },
);

it("whole numbers are rounded to, floating-point ones are kept in single precision", () => {
  const image = new Image();
  image.write(nameOf("u16"), 41.5);
  image.write(nameOf("f32"), 0.1);
  expect([image.read(nameOf("u16")), image.read(nameOf("f32"))]).toEqual([42, Math.fround(0.1)]);
});

it("a field or an element that does not exist, or too long a text, is refused and changes nothing", () => {
  const image = new Image();
  const text = BLOCKS.flatMap(({ fields }) => fields).find(({ kind }) => kind === "text")!;
  const before = BLOCKS.map(({ type }) => image.frame(type));
  expect(() => image.write("NoSuchField", 1)).toThrow("no register is called NoSuchField");
  expect(() => image.write("CellVol", 1, 32)).toThrow("CellVol has 32 elements");
  expect(() => image.write("CellVol", 1, -1)).toThrow("CellVol has 32 elements");
  expect(() => image.writeText(text.name, "x".repeat(text.count + 1))).toThrow(`holds ${text.count} characters`);
  expect(BLOCKS.map(({ type }) => image.frame(type))).toEqual(before);
  image.writeText(text.name, "x".repeat(text.count));
  expect(image.text(text.name)).toBe("x".repeat(text.count));
});

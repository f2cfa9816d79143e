/**
 * Language and library features that the firmware's sources may not use, each with an example that the tests lint and run on XS.
 *
 * `lacks`: "engine" (missing in XS 13.3, the tests' engine), "platform" (no such global or module on the device), "build" (the SDK's
 * build strips it from XS), "flash" (everything but main is linked into flash, where it cannot be modified), "sense" (present, but
 * behaves differently on the device).
 */

const global = (lacks, instead) => (name) => ({ name, lacks, global: name, message: instead, example: `${name};` });
const member = (lacks, message) => (name, example) => ({ name, lacks, property: name, message, example });
const of = (lacks, object, property, example, message) => ({
  name: `${object}.${property}`,
  lacks,
  object,
  property,
  message,
  example,
});
const syntax = (name, lacks, selector, message, example) => ({ name, lacks, selector, message, example });

const NEWER = "XS 13.3 lacks it.";
const newer = member("engine", NEWER);
/** What the platform's timers, sockets, pins and interfaces call. */
const DOORS = "/^on(Timer|Deadline|Readable|Writable|Error|Changed|Notify|Found|Complete|Control|Resolved)$/";
const TOP = ":matches(Program, ExportNamedDeclaration) > VariableDeclaration";
/** Initializers at module level, bare or under `as` and `satisfies`. */
const topValue = (selector) =>
  [`${TOP} > VariableDeclarator > ${selector}.init`]
    .concat(
      ["TSAsExpression", "TSSatisfiesExpression"].map(
        (type) => `${TOP} > VariableDeclarator > ${type}.init > ${selector}`,
      ),
    )
    .join(", ");

export const RESTRICTIONS = Object.freeze([
  ...["setTimeout", "setInterval", "clearTimeout", "clearInterval", "queueMicrotask"].map(
    global("platform", 'Use Timer from "timer".'),
  ),
  ...[
    "process",
    "Buffer",
    "console",
    "Intl",
    "URL",
    "fetch",
    "performance",
    "structuredClone",
    "crypto",
    "atob",
    "btoa",
  ]
    .concat(["Iterator", "Float16Array", "WebAssembly", "AbortController", "Event", "setImmediate", "require"])
    .map(global("platform", "The device has no such global.")),
  ...["TextDecoder", "TextEncoder"].map(
    global("platform", 'On the device it is a module ("text/decoder", "text/encoder"), not a global.'),
  ),
  {
    ...global("sense", 'The clock is wrong until SNTP has answered: use Time.ticks ("time") for durations.')("Date"),
    example: "new Date();",
  },
  of("sense", "Math", "random", "Math.random();", 'It is predictable: use RNG from "rng".'),

  ...["toLocaleString", "toLocaleLowerCase", "toLocaleUpperCase", "localeCompare", "normalize"].map((name) =>
    member("sense", "XS on the device has no locales and no Unicode tables.")(name, `"".${name}("");`),
  ),

  newer("toSorted", "[1].toSorted();"),
  newer("toReversed", "[1].toReversed();"),
  newer("toSpliced", "[1].toSpliced(0, 1);"),
  newer("with", "[1].with(0, 2);"),
  of("engine", "Object", "groupBy", "Object.groupBy([1], String);", NEWER),
  of("engine", "Map", "groupBy", "Map.groupBy([1], String);", NEWER),
  of("engine", "Array", "fromAsync", "Array.fromAsync([]);", NEWER),
  of("engine", "Promise", "withResolvers", "Promise.withResolvers();", NEWER),
  of("engine", "Promise", "try", "Promise.try(String);", NEWER),
  of("engine", "RegExp", "escape", 'RegExp.escape("a");', NEWER),
  of("engine", "Error", "isError", "Error.isError(1);", NEWER),
  of("engine", "Uint8Array", "fromBase64", 'Uint8Array.fromBase64("");', NEWER),
  of("engine", "Uint8Array", "fromHex", 'Uint8Array.fromHex("");', NEWER),
  newer("toBase64", "new Uint8Array(1).toBase64();"),
  newer("toHex", "new Uint8Array(1).toHex();"),
  newer("isWellFormed", '"a".isWellFormed();'),
  newer("toWellFormed", '"a".toWellFormed();'),
  ...["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"].map(
    (name) => newer(name, `new Set().${name}(new Set());`),
  ),
  syntax(
    "iterator helpers",
    "engine",
    "CallExpression[callee.property.name=/^(map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)$/]" +
      ":not([callee.object.callee.object.name='Object'])[callee.object.callee.property.name=/^(values|keys|entries|matchAll)$/]",
    NEWER,
    "[1].values().map(String);",
  ),
  syntax("using", "engine", "VariableDeclaration[kind=/using$/]", NEWER, "{ using a = null; }"),
  syntax("accessor", "engine", "AccessorProperty", NEWER, "class A { accessor a = 1; }"),

  syntax(
    "regular expressions",
    "build",
    ":matches(Literal[regex], NewExpression[callee.name='RegExp'], CallExpression[callee.name='RegExp'])",
    "Stripped from the engine (manifest.json) to save some 20,000 bytes of flash: evaluating one ends the program.",
    "/a/;",
  ),

  syntax(
    "timers with a function of their own",
    "sense",
    "CallExpression[callee.object.name='Timer'][callee.property.name=/^(set|repeat)$/]:not([arguments.0.name=/^on[A-Z]/])",
    "What it throws ends the script: use src/runtime/timers.ts, or `onTimer` of modules/door.",
    "Timer.set(() => 1);",
  ),
  syntax(
    "callbacks of the platform's objects that are no doors",
    "sense",
    [
      `:matches(NewExpression, CallExpression) > ObjectExpression > Property[key.name=${DOORS}]:not([value.name=${DOORS}])`,
      `AssignmentExpression[left.property.name=${DOORS}]:not([right.name=${DOORS}])[right.type=/Function/]`,
      `VariableDeclarator[id.name=${DOORS}] > :matches(ArrowFunctionExpression, FunctionExpression)`,
      `FunctionDeclaration[id.name=${DOORS}] > BlockStatement > :not(ExpressionStatement[expression.callee.name='enter'])`,
      // The SDK's Wi-Fi gets its callback as it is.
      "NewExpression[callee.name='WiFi'] > :matches(ArrowFunctionExpression, FunctionExpression)",
    ].join(", "),
    "What they throw ends the script: use those of modules/door, or nothing but its `enter`.",
    "new Digital({ onReadable: () => 1 });",
  ),
  syntax(
    "let and var at module level",
    "flash",
    `${TOP}[kind=/^(let|var)$/]`,
    "Modules are in flash: each such variable takes RAM permanently; make it a member of an object.",
    "let a = 1;",
  ),
  syntax(
    "arrays and objects at module level that are not frozen",
    "flash",
    topValue(":matches(ArrayExpression, ObjectExpression)"),
    "Object.freeze(…, true): otherwise it takes RAM permanently.",
    "export const A = [1] as const;",
  ),
  syntax(
    "collections at module level",
    "flash",
    topValue("NewExpression[callee.name=/^(Map|Set|WeakMap|WeakSet)$/]"),
    "Modules are in flash, so it would be read-only.",
    "const A = new Map();",
  ),
  syntax(
    "static members that are not readonly",
    "flash",
    "PropertyDefinition[static=true]:not([readonly=true])",
    "Classes are in flash: their static members cannot be changed.",
    "class A { static a = 1; }",
  ),
  syntax(
    "this.name = in an Error's constructor",
    "flash",
    "ClassBody MethodDefinition[kind='constructor'] AssignmentExpression[left.object.type='ThisExpression'][left.property.name='name']",
    "The prototype's name is in flash and not writable: declare the field `override name = …`.",
    'class A extends Error { constructor() { super(); this.name = "A"; } }',
  ),
  syntax(
    "#private names",
    "flash",
    "PrivateIdentifier",
    "Every method that uses one takes a closure slot for it, 16 bytes of flash each: use TypeScript's private.",
    "class A { #a = 1; }",
  ),
  syntax(
    "fields of a class that extends another and has no constructor",
    "flash",
    ":matches(ClassDeclaration, ClassExpression)[superClass]" +
      " > ClassBody:not(:has(> MethodDefinition[kind='constructor'])) > PropertyDefinition[static=false][value]",
    "esbuild gives it a constructor with `super(...arguments)`, which links the engine's part for `arguments`: write the constructor.",
    "class A extends Array { a = 1; }",
  ),
  syntax("enum", "flash", "TSEnumDeclaration", "It is built at run time, in RAM: use a frozen object.", "enum A { B }"),
]);

/** ESLint rules that report restricted features. */
export function rulesFor(restrictions) {
  const those = (kind) => restrictions.filter((restriction) => restriction[kind]);
  return {
    "no-restricted-globals": ["error", ...those("global").map(({ name, message }) => ({ name, message }))],
    "no-restricted-properties": [
      "error",
      ...those("property").map(({ object, property, message }) => ({ ...(object && { object }), property, message })),
    ],
    "no-restricted-syntax": ["error", ...those("selector").map(({ selector, message }) => ({ selector, message }))],
  };
}

/** The rules for the firmware's files. */
export const deviceRules = rulesFor(RESTRICTIONS);

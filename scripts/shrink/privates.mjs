/**
 * Each property name is a key in flash: a slot, its text, and an entry in two tables. Private members, which cannot be
 * accessed outside their class, are renamed to $0, $1, … in every class, so that all classes share these keys.
 */
import ts from "typescript";

const isPrivate = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
const extendsAnother = (/** @type {import("typescript").ClassLikeDeclaration} */ { heritageClauses }) =>
  heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
const isThis = (node) => node?.kind === ts.SyntaxKind.ThisKeyword;
/** These nodes rebind `this`. */
const hasOwnThis = (node) =>
  ts.isFunctionExpression(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassLike(node) ||
  (ts.isObjectLiteralElement(node) && (ts.isMethodDeclaration(node) || ts.isAccessor(node)));

/** Names of private members; a parameter property keeps its name, because the constructor uses it too. */
const privateNames = ({ members }) =>
  new Set(
    members
      .filter((member) => isPrivate(member) && member.name && ts.isIdentifier(member.name))
      .map(({ name }) => name.text),
  );

/** A destructuring assignment: `({ name } = this)`. */
const isAssignedTo = (object) =>
  ts.isBinaryExpression(object.parent) &&
  object.parent.left === object &&
  object.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;

/** Property name denoted by a node, or undefined. */
function propertyIn(node) {
  const { parent } = node;
  if (!ts.isIdentifier(node)) return undefined;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return { ofThis: isThis(parent.expression) };
  if (
    ts.isBindingElement(parent) &&
    ts.isObjectBindingPattern(parent.parent) &&
    (parent.propertyName ?? parent.name) === node
  )
    return { ofThis: isThis(parent.parent.parent.initializer) };
  const isMember =
    ts.isShorthandPropertyAssignment(parent) || (ts.isPropertyAssignment(parent) && parent.name === node);
  return isMember && isAssignedTo(parent.parent) ? { ofThis: false } : undefined;
}

/**
 * Positions where a class names its private members; a member that is also accessed on anything but `this` keeps its
 * name.
 */
function placesIn(node) {
  const names = privateNames(node);
  /** @type {Map<string, import("typescript").Identifier[]>} */
  const places = new Map([...names].map((name) => [name, []]));
  const visit = (child, own) => {
    if (ts.isStringLiteralLike(child)) places.delete(child.text);
    const property = propertyIn(child);
    if (property && places.has(child.text)) {
      if (own && property.ofThis) places.get(child.text)?.push(child);
      else places.delete(child.text);
    }
    ts.forEachChild(child, (inner) => visit(inner, own && !hasOwnThis(inner)));
  };
  for (const member of node.members) {
    if (member.name && ts.isIdentifier(member.name)) places.get(member.name.text)?.push(member.name);
    ts.forEachChild(member, (child) => visit(child, !hasOwnThis(child)));
  }
  return places;
}

/** The names given. Neither the platform nor the sources may have one: a class could not tell its own member from theirs. */
export const GIVEN = /^\$\d+$/;

/**
 * Subclasses keep their names, which might otherwise clash with those of the base class. Throws if the source has one of the names
 * given here.
 */
export function shortenPrivates(code) {
  const file = ts.createSourceFile("source.ts", code, ts.ScriptTarget.ES2023, true);
  const edits = [];
  const visit = (node) => {
    if ((ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && GIVEN.test(node.text))
      throw new Error(`${node.text} is a name that private members are given: choose another`);
    if (ts.isClassLike(node) && !extendsAnother(node)) {
      let made = 0;
      for (const places of placesIn(node).values()) {
        const name = `$${made++}`;
        for (const place of places) {
          // const { name } = this
          const both = ts.isBindingElement(place.parent) && place.parent.propertyName === undefined;
          edits.push({ start: place.getStart(file), end: place.end, text: both ? `${name}: ${place.text}` : name });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  let result = "";
  let end = 0;
  for (const edit of edits.sort((one, other) => one.start - other.start)) {
    result += code.slice(end, edit.start) + edit.text;
    ({ end } = edit);
  }
  return result + code.slice(end);
}

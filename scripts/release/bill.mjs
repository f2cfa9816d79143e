/** The bill of materials of an image: CycloneDX 1.5 (ECMA-424), JSON. */
import { createHash } from "node:crypto";

/**
 * @param {object} image
 * @param {string} image.file its name in the release
 * @param {Uint8Array} image.bytes
 * @param {string} image.version of the firmware
 * @param {readonly { name: string, version: string, licence: string }[]} image.parts of others in it
 */
export function billOf({ file, bytes, version, parts }) {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "firmware",
        "bom-ref": file,
        name: file,
        version,
        hashes: [{ alg: "SHA-256", content: createHash("sha256").update(bytes).digest("hex") }],
      },
    },
    components: parts.map(({ name, version, licence }) => ({
      type: "library",
      "bom-ref": `${name}@${version}`,
      name,
      version,
      // Names such as dtoa are no SPDX identifiers: as a text.
      licenses: [{ license: { name: licence } }],
    })),
    dependencies: [{ ref: file, dependsOn: parts.map(({ name, version }) => `${name}@${version}`) }],
  };
}

/**
 * Parts that were reviewed by hand, with the versions that they came by.
 * @param {readonly { name: string, of: string, licence: string }[]} components of scripts/notices/components.mjs
 * @param {string} versions scripts/ci/versions
 */
export function partsOf(components, versions) {
  const known = Object.fromEntries([...versions.matchAll(/^(\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
  return components.map(({ name, of, licence }) => {
    const version = known[of];
    if (!version) throw new Error(`${name}: scripts/ci/versions has no ${of}`);
    return { name, version, licence };
  });
}

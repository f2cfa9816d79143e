/** Addresses for another device's camera. */
import type { JSX } from "preact";
import { useAllTexts } from "./all-texts";
import { Part } from "./group";
import { qrCode } from "./qr";

/** Light modules around the code, as ISO/IEC 18004 requires. */
const BORDER = 4;

/** The page's own. Without the fragment: it may name a screen, and once had a code. */
export const ownAddress = (): string => location.origin + location.pathname;

export function AddressPart(): JSX.Element {
  const { t } = useAllTexts();
  return (
    <Part title={t.device.qr} hint={t.device.qrHint}>
      <Address address={ownAddress()} />
    </Part>
  );
}

/** As a code and as text. */
export function Address({ address, id }: { address: string; id?: string }): JSX.Element {
  const code = qrCode(address);
  const size = (code?.length ?? 0) + 2 * BORDER;
  const path = code?.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + BORDER} ${y + BORDER}h1v1h-1z` : "")),
  );
  return (
    <>
      {path && (
        <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={address}>
          <path d={path.join("")} />
        </svg>
      )}
      <p>
        <code id={id}>{address}</code>
      </p>
    </>
  );
}

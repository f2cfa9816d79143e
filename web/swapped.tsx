/** Another pack than before answers at an address: nothing is written to it until the owner says that it belongs there. */
import type { JSX } from "preact";
import { packTitle } from "./bank";
import type { BankDocument, PackRow } from "./documents";
import { useTask, useTexts } from "./hooks";
import { live } from "./live";
import { request } from "./request";
import { Button, Message } from "./ui";

export function Swapped({ bank, isOwner }: { bank: BankDocument | undefined; isOwner: boolean }): JSX.Element {
  return (
    <div role="status">
      {bank?.packs
        .filter(({ swapped }) => swapped)
        .map((pack) => (
          <Stranger key={pack.address} pack={pack} isOwner={isOwner} />
        ))}
    </div>
  );
}

function Stranger({ pack, isOwner }: { pack: PackRow; isOwner: boolean }): JSX.Element {
  const { t } = useTexts();
  const task = useTask();
  const { address, online, serialNumber } = pack;
  const accept = (): void =>
    void task.run(async () => {
      await request("POST", `/web/packs/${address}/accept`).finally(() => live.load("packs"));
      return t.common.saved;
    });
  return (
    <div class="concerns bad">
      <p>
        <strong>{t.bank.swapped(packTitle(pack, t), String(address))}</strong> {t.bank.swappedWhy}
        {serialNumber && ` ${t.battery.serial}: ${serialNumber}.`}
      </p>
      {isOwner && (
        <div class="actions">
          <Button disabled={task.busy || !online} onClick={accept}>
            {t.bank.accept}
          </Button>
          <Message task={task} />
        </div>
      )}
    </div>
  );
}

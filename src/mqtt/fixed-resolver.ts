/** Resolver handed to the MQTT client: returns the address already found. */
export class FixedResolver {
  private readonly address: string;

  constructor({ address }: { readonly address: string }) {
    this.address = address;
  }

  resolve({ host, onResolved }: { host: string; onResolved: (host: string, address: string) => void }): void {
    onResolved(host, this.address);
  }
}

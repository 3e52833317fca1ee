/** The mailer of a third party. */

export interface Mail {
  readonly id: string;
  readonly to: string;
}

/** Notifies the customer that the ticket was filed. Rejects when the mailer does not accept it. */
export async function confirm(url: string, customer: string, ticket: string): Promise<Mail> {
  const response = await fetch(`${url}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ to: customer, about: ticket }),
    signal: AbortSignal.timeout(1_500),
  });
  if (!response.ok) throw new Error(`the mailer answered ${response.status}`);
  const { id, to } = (await response.json()) as Mail;
  return { id, to };
}

// Formats a receipt for the response: the full receipt, or only its identifiers.
import type { Envelope, ReceiptForm, SentEnvelope } from '../../contract/ask.ts';

export function formatReceipt(envelope: Envelope, receiptFormat: ReceiptForm): SentEnvelope {
  const { receipt } = envelope;
  if (receiptFormat === 'full' || receipt === null) return envelope;
  return { ...envelope, receipt: { request_id: receipt.request_id, digest: receipt.digest ?? null } };
}

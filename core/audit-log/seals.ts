import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditLogHead, AuditLogRow } from './tables.ts'

// The rows of the audit log form a chain of hashes, which everybody can compute. The seals are HMACs with a
// key that is not in the database, so that nobody who has only the database can compute them.

/** Returns the SHA-256, in hexadecimal digits, of the previous row's hash and of the columns of an action. */
export function hashRow(row: Omit<AuditLogRow, 'hash' | 'mac'>, previous: string) {
  const { id, created_at, role, actor_id, action, subject, subject_id, detail } = row
  const text = JSON.stringify([previous, id, created_at, role, actor_id, action, subject, subject_id, detail])
  return createHash('sha256').update(text).digest('hex')
}

const seal = (key: Buffer, content: readonly unknown[]) =>
  createHmac('sha256', key).update(JSON.stringify(content)).digest('hex')

export const sealRow = (key: Buffer, { id, hash }: Pick<AuditLogRow, 'id' | 'hash'>) =>
  seal(key, ['row', id, hash])

export const sealHead = (
  key: Buffer,
  { entries, hash, keyed_from, unproven_from }: Omit<AuditLogHead, 'mac'>,
) => seal(key, ['head', entries, hash, keyed_from, unproven_from])

/** Whether two seals are the same. Takes the same time for all wrong seals. */
export const isSameSeal = (one: string, other: string | null) =>
  other?.length === one.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

export const isSealed = (key: Buffer, head: AuditLogHead) => isSameSeal(sealHead(key, head), head.mac)

import type { ExtraValues } from '#core/feature/extras.ts'
import type { PostAudience } from '#features/posts/contract.ts'
import type { ScheduledTables } from './tables.ts'

/** Without the pictures and files. */
export interface Content {
  body: string | null
  extras: ExtraValues
  /** Only of a post. */
  audience?: PostAudience
  group_id?: number | undefined
  /** Only of a message. */
  quotes_id?: number | null
}

export type Target = { kind: 'post' } | { kind: 'person' | 'group'; id: number }

export const targetOf = ({ kind, target_id }: Pick<ScheduledTables['scheduled'], 'kind' | 'target_id'>) =>
  (kind === 'post' ? { kind } : { kind, id: target_id! }) satisfies Target

export const parse = (json: string) => JSON.parse(json) as Content

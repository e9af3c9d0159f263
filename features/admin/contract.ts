import * as v from 'valibot'
import { ById, endpoint, noInput, optionalText, page, time } from '#core/contract.ts'
import { Me } from '#features/people/contract.ts'

const { bio: _, ...known } = Me.entries
export const Account = v.object({ ...known, suspended_at: v.nullable(time) })
export type Account = v.InferOutput<typeof Account>

export const ListedGroup = v.object({
  id: v.number(),
  name: v.string(),
  members_count: v.number(),
  created_at: time,
})
export type ListedGroup = v.InferOutput<typeof ListedGroup>

export const Backups = v.object({
  /** Whether they are made by themselves (BACKUP_AT). */
  nightly: v.boolean(),
  /** The newest that was made and proved. */
  good: v.nullable(v.object({ made_at: time, bytes: v.number() })),
  /** What failed after it, and why, in the words of the machine. */
  failed: v.nullable(v.object({ at: time, reason: v.string() })),
})
export type Backups = v.InferOutput<typeof Backups>

/** A week is the last seven days, today the last twenty-four hours. */
export const Facts = v.object({
  members: v.number(),
  members_this_week: v.number(),
  groups: v.number(),
  posts_today: v.number(),
  /** How many people wrote a post or a message. */
  wrote_today: v.number(),
  backup: Backups,
})
export type Facts = v.InferOutput<typeof Facts>

export const admin = {
  users: endpoint(
    'GET /api/admin/users',
    'admin',
    v.object({ q: optionalText(255), ...page(1000, 5000) }),
    v.object({ userData: v.array(Account) }),
    { paged: true },
  ),
  verificationLink: endpoint(
    'GET /api/admin/users/:id/verification-link',
    'admin',
    ById,
    v.object({ link: v.string() }),
    {
      refuses: [404],
    },
  ),
  grant: endpoint('PUT /api/admin/users/:id/admin', 'admin', ById, Account, { refuses: [404] }),
  revoke: endpoint('DELETE /api/admin/users/:id/admin', 'admin', ById, Account, { refuses: [404] }),
  suspend: endpoint('PUT /api/admin/users/:id/suspension', 'admin', ById, Account, { refuses: [404] }),
  letBackIn: endpoint('DELETE /api/admin/users/:id/suspension', 'admin', ById, Account, { refuses: [404] }),
  groups: endpoint('GET /api/admin/groups', 'admin', v.object(page(100, 500)), v.array(ListedGroup), {
    paged: true,
  }),
  facts: endpoint('GET /api/admin/facts', 'admin', noInput, Facts),
}

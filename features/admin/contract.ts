import * as v from 'valibot'
import { ById, endpoint, noInput, optionalText, page, time } from '#core/contract.ts'
import { Me } from '#features/people/contract.ts'

const { bio: _, ...known } = Me.entries
export const Account = v.object({ ...known, suspended_at: v.nullable(time) })
export type Account = v.InferOutput<typeof Account>

export const Backups = v.object({
  /** Whether a backup is made every night (BACKUP_AT). */
  nightly: v.boolean(),
  /** The newest backup that was made and checked. */
  good: v.nullable(v.object({ made_at: time, bytes: v.number() })),
  /** The failed attempt after it, with the reason as the system told it. */
  failed: v.nullable(v.object({ at: time, reason: v.string() })),
})
export type Backups = v.InferOutput<typeof Backups>

/** `this_week` is the last seven days, `today` the last twenty-four hours. */
export const Facts = v.object({
  members: v.number(),
  members_this_week: v.number(),
  groups: v.number(),
  posts_today: v.number(),
  /** How many people wrote a post or a message. Fields of a feature that does not run are 0. */
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
  facts: endpoint('GET /api/admin/facts', 'admin', noInput, Facts),
}

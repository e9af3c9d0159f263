import * as v from 'valibot'
import { ById, endpoint, optionalText, page } from '#core/contract.ts'
import { Me } from '#features/people/contract.ts'

const { bio: _, ...account } = Me.entries

export const admin = {
  users: endpoint(
    'GET /api/admin/users',
    'admin',
    v.object({ q: optionalText(255), ...page(1000, 5000) }),
    v.object({ userData: v.array(v.object(account)) }),
    { paged: true },
  ),
  verificationLink: endpoint('GET /api/admin/users/:id/verification-link', 'admin', ById, v.object({ link: v.string() }), {
    refuses: [404],
  }),
}

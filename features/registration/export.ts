import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import * as ownInvitations from './own-invitations.ts'

const texts = {
  en: { invitations: 'Invitations', joined: 'You joined with an invitation.', uses: 'Used', until: 'Until' },
  ja: { invitations: '招待', joined: '招待を受けて参加しました。', uses: '使用', until: '期限' },
} satisfies Record<Language, object>

export const exportSection: ExportSection = {
  title: { en: 'Invitations', ja: '招待' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const readRecords = async () => {
      const used = await ownInvitations.listUses(viewer)
      const made = await ownInvitations.listForExport(viewer)
      return [
        ...used.map(
          ({ created_at }): ExportRecord => ({
            data: { joined_with_invitation_at: created_at },
            heading: t.joined,
            time: created_at,
          }),
        ),
        ...made.map(
          (invitation): ExportRecord => ({
            data: invitation,
            heading: invitation.note ?? t.invitations,
            time: invitation.created_at,
            facts: [
              [t.uses, `${invitation.uses} / ${invitation.max_uses}`],
              [t.until, { time: invitation.ended_at ?? invitation.expires_at }],
            ],
          }),
        ),
      ]
    }
    yield {
      path: 'invitations',
      title: t.invitations,
      layout: 'list',
      pages: () => yieldOnePage(readRecords),
    }
  },
}

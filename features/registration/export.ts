import type { Language } from '#core/contract.ts'
import { type DataExportRecord, type DataExportSection, yieldQueryResultAsSinglePage } from '#core/exports.ts'
import { listInvitationUsesByViewerForExport, listOwnInvitationsForExport } from './own-invitations.ts'

const texts = {
  en: { invitations: 'Invitations', joined: 'You joined with an invitation.', uses: 'Used', until: 'Until' },
  ja: { invitations: '招待', joined: '招待で参加しました。', uses: '使用', until: '期限' },
} satisfies Record<Language, object>

/**
 * The part of the data export about invitations: when the member registered with an invitation, and the
 * invitations that the member has made.
 */
export const invitationExportSection: DataExportSection = {
  title: { en: 'Invitations', ja: '招待' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const readRecords = async () => {
      const used = await listInvitationUsesByViewerForExport(viewer)
      const made = await listOwnInvitationsForExport(viewer)
      return [
        ...used.map(
          ({ created_at }): DataExportRecord => ({
            data: { joined_with_invitation_at: created_at },
            heading: t.joined,
            time: created_at,
          }),
        ),
        ...made.map(
          (invitation): DataExportRecord => ({
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
      pages: () => yieldQueryResultAsSinglePage(readRecords),
    }
  },
}

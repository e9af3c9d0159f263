import {
  MAX_MEMBER_INVITATION_USES,
  MAX_OPEN_INVITATIONS_PER_MEMBER,
} from '#features/registration/invitation-contract.ts'
import { whoCanInviteText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingRadioGroup } from './CommunitySettingRadioGroup.tsx'

/** Renders the setting that says who may create invitations. */
export function WhoCanInviteSetting({
  saved,
}: {
  saved: AdminCommunitySettingsResponse['settings']['who_can_invite']
}) {
  const t = useText(whoCanInviteText)
  const help = t.membersHelp(MAX_OPEN_INVITATIONS_PER_MEMBER, MAX_MEMBER_INVITATION_USES)
  return (
    <CommunitySettingRadioGroup
      name="who_can_invite"
      saved={saved}
      label={t.whoCanInvite}
      choices={[
        { value: 'admins', label: t.admins, help: t.adminsHelp },
        { value: 'members', label: t.members, help },
      ]}
    />
  )
}

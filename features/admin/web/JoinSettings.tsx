import { whoCanJoinText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import { Link } from '#web/ui/Link.tsx'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingRadioGroup } from './CommunitySettingRadioGroup.tsx'
import { JoinQuestionForm } from './JoinQuestionForm.tsx'
import { NewMemberLimitDaysSetting } from './NewMemberLimitDaysSetting.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'
import { WhoCanInviteSetting } from './WhoCanInviteSetting.tsx'

export const communityJoinAndInviteSettingsSection: CommunitySettingsSection = {
  id: 'join',
  title: { en: 'Who comes in', ja: '参加と招待' },
  Content: JoinSettings,
}

function JoinSettings({ settings }: AdminCommunitySettingsResponse) {
  return (
    <>
      <WhoCanJoin saved={settings.who_can_join} question={settings.join_question} />
      <WhoCanInviteSetting saved={settings.who_can_invite} />
      <NewMemberLimitDaysSetting saved={settings.new_member_days} />
    </>
  )
}

interface WhoCanJoinProps {
  saved: AdminCommunitySettingsResponse['settings']['who_can_join']
  question: string | null
}

function WhoCanJoin({ saved, question }: WhoCanJoinProps) {
  const t = useText(whoCanJoinText)
  return (
    <CommunitySettingRadioGroup
      name="who_can_join"
      saved={saved}
      label={t.whoCanJoin}
      choices={[
        { value: 'open', label: t.open, help: t.openHelp },
        { value: 'invitation', label: t.invitation, help: t.invitationHelp },
        { value: 'approval', label: t.approval, help: t.approvalHelp },
        { value: 'closed', label: t.closed, help: t.closedHelp },
      ]}
    >
      {saved === 'approval' && <JoinQuestionForm saved={question} />}
      <Link className="link" href="/admin/new-members">
        {saved === 'approval' ? t.toRequests : t.toNewMembers}
      </Link>
    </CommunitySettingRadioGroup>
  )
}

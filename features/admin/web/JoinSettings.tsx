import { type FormEvent, useState } from 'react'
import { MAX_JOIN_QUESTION, newMemberDays } from '#core/community/settings-contract.ts'
import { MAX_MEMBER_USES, MAX_OPEN_INVITATIONS } from '#features/registration/contract.ts'
import { newMemberText, whoCanInviteText, whoCanJoinText } from '#features/registration/web/settings-text.ts'
import { joinRequestText } from '#features/registration/web/text.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import type { AdminSettings } from '../contract.ts'
import { SettingRadios } from './SettingRadios.tsx'
import { NumberSelect } from './SettingSelect.tsx'
import type { SettingsSection } from './settings-section.ts'
import { useSetting } from './useSetting.ts'

export const joinSection: SettingsSection = {
  id: 'join',
  title: { en: 'Who comes in', ja: '参加と招待' },
  Content: JoinSettings,
}

function JoinSettings({ settings }: AdminSettings) {
  return (
    <>
      <WhoCanJoin saved={settings.who_can_join} question={settings.join_question} />
      <InviteSetting saved={settings.who_can_invite} />
      <NewMemberDays saved={settings.new_member_days} />
    </>
  )
}

interface WhoCanJoinProps {
  saved: AdminSettings['settings']['who_can_join']
  question: string | null
}

function WhoCanJoin({ saved, question }: WhoCanJoinProps) {
  const t = useText(whoCanJoinText)
  return (
    <SettingRadios
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
    </SettingRadios>
  )
}

function InviteSetting({ saved }: { saved: AdminSettings['settings']['who_can_invite'] }) {
  const t = useText(whoCanInviteText)
  const help = t.membersHelp(MAX_OPEN_INVITATIONS, MAX_MEMBER_USES)
  return (
    <SettingRadios
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

function NewMemberDays({ saved }: { saved: AdminSettings['settings']['new_member_days'] }) {
  const t = useText(newMemberText)
  return (
    <NumberSelect
      name="new_member_days"
      saved={saved}
      label={t.newMembers}
      help={t.help}
      choices={newMemberDays}
      format={(n) => (n ? t.days(n) : t.off)}
    />
  )
}

/** Null is the standard question. */
function JoinQuestionForm({ saved }: { saved: string | null }) {
  const t = useText(whoCanJoinText)
  const { standardQuestion } = useText(joinRequestText)
  const [, save, dialog] = useSetting('join_question', saved)
  const [draft, setDraft] = useState(saved ?? '')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save(draft.trim() || null)
  }
  return (
    <form noValidate onSubmit={submit}>
      <TextAreaField
        label={t.question}
        hint={t.questionHelp(MAX_JOIN_QUESTION, standardQuestion)}
        name="join_question"
        dir="auto"
        maxLength={MAX_JOIN_QUESTION}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="form-actions">
        <Button type="submit">{t.saveQuestion}</Button>
      </div>
      {dialog}
    </form>
  )
}

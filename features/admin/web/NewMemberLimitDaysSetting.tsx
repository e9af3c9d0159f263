import { newMemberLimitDayChoices } from '#core/community-settings-contract.ts'
import { newMemberLimitsText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingNumberSelect } from './CommunitySettingNumberSelect.tsx'

/** Renders the setting that says for how many days new members have tighter limits. */
export function NewMemberLimitDaysSetting({
  saved,
}: {
  saved: AdminCommunitySettingsResponse['settings']['new_member_days']
}) {
  const t = useText(newMemberLimitsText)
  return (
    <CommunitySettingNumberSelect
      name="new_member_days"
      saved={saved}
      label={t.newMembers}
      help={t.help}
      choices={newMemberLimitDayChoices}
      format={(n) => (n ? t.days(n) : t.off)}
    />
  )
}

import { useText } from '#web/i18n.ts'
import { Link } from '#web/ui/Link.tsx'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingSwitch } from './CommunitySettingSwitch.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'
import { adminText } from './text.ts'

export const adminSecondStepSettingsSection: CommunitySettingsSection = {
  id: 'safety',
  title: { en: 'Admins’ accounts', ja: '管理者のアカウント' },
  Content: SafetySettings,
}

function SafetySettings({ settings, fixed }: AdminCommunitySettingsResponse) {
  const t = useText(adminText)
  return (
    <CommunitySettingSwitch
      name="admins_need_second_step"
      saved={settings.admins_need_second_step}
      isFixed={fixed.includes('admins_need_second_step')}
      label={t.adminsNeedSecondStep}
      help={
        <>
          {t.aboutAdminsSecondStep}{' '}
          <Link className="link" href="/account">
            {t.toAccount}
          </Link>
        </>
      }
    />
  )
}

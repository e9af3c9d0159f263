import { useText } from '#web/i18n.ts'
import { Link } from '#web/ui/Link.tsx'
import type { AdminSettings } from '../contract.ts'
import { SettingSwitch } from './SettingSwitch.tsx'
import type { SettingsSection } from './settings-section.ts'
import { adminText } from './text.ts'

export const safetySection: SettingsSection = {
  id: 'safety',
  title: { en: 'Admins’ accounts', ja: '管理者のアカウント' },
  Content: SafetySettings,
}

function SafetySettings({ settings, fixed }: AdminSettings) {
  const t = useText(adminText)
  return (
    <SettingSwitch
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

import { useText } from '#web/i18n.ts'
import type { AdminSettings } from '../contract.ts'
import { SettingSwitch } from './SettingSwitch.tsx'
import type { SettingsSection } from './settings-section.ts'
import { linkSettingsText } from './settings-text.ts'

export const linksSection: SettingsSection = {
  id: 'links',
  title: { en: 'Links', ja: 'リンク' },
  Content: LinkSettings,
}

function LinkSettings({ settings, fixed }: AdminSettings) {
  const t = useText(linkSettingsText)
  return (
    <SettingSwitch
      name="link_previews"
      saved={settings.link_previews}
      isFixed={fixed.includes('link_previews')}
      label={t.linkPreviews}
      help={t.aboutLinkPreviews}
    />
  )
}

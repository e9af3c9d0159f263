import { useText } from '#web/i18n.ts'
import type { AdminSettings } from '../contract.ts'
import { AccentSetting } from './AccentSetting.tsx'
import { EmojiSetting } from './EmojiSetting.tsx'
import { NameSetting } from './NameSetting.tsx'
import { PictureSetting } from './PictureSetting.tsx'
import { SettingSwitch } from './SettingSwitch.tsx'
import type { SettingsSection } from './settings-section.ts'
import { adminText } from './text.ts'

export const lookSection: SettingsSection = {
  id: 'look',
  title: { en: 'Name and look', ja: '名前と見た目' },
  Content: LookSettings,
}

function LookSettings({ settings, fixed, picture }: AdminSettings) {
  return (
    <>
      <NameSetting saved={settings.community_name} />
      <PictureSetting saved={picture} />
      <AccentSetting saved={settings.accent_colour} />
      <EmojiSetting saved={settings.reaction_emoji} />
      <SamplePagesSetting saved={settings.show_samples} isFixed={fixed.includes('show_samples')} />
    </>
  )
}

function SamplePagesSetting({ saved, isFixed }: { saved: boolean; isFixed: boolean }) {
  const t = useText(adminText)
  const [before, after] = t.samplesFixed
  return (
    <SettingSwitch
      name="show_samples"
      saved={saved}
      isFixed={isFixed}
      label={t.showSamples}
      help={
        <>
          {t.aboutSamples}{' '}
          {isFixed && (
            <>
              {before}
              <code>DEMO=off</code>
              {after}
            </>
          )}
        </>
      }
    />
  )
}

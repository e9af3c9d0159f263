import { useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { AccentColourSetting } from './AccentColourSetting.tsx'
import { CommunityNameSetting } from './CommunityNameSetting.tsx'
import { CommunityPictureSetting } from './CommunityPictureSetting.tsx'
import { CommunitySettingSwitch } from './CommunitySettingSwitch.tsx'
import { ReactionEmojiSetting } from './ReactionEmojiSetting.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'
import { adminText } from './text.ts'

export const communityNameAndLookSettingsSection: CommunitySettingsSection = {
  id: 'look',
  title: { en: 'Name and look', ja: '名前と見た目' },
  Content: LookSettings,
}

function LookSettings({ settings, fixed, picture }: AdminCommunitySettingsResponse) {
  return (
    <>
      <CommunityNameSetting saved={settings.community_name} />
      <CommunityPictureSetting saved={picture} />
      <AccentColourSetting saved={settings.accent_colour} />
      <ReactionEmojiSetting saved={settings.reaction_emoji} />
      <SamplePagesSetting saved={settings.show_samples} isFixed={fixed.includes('show_samples')} />
    </>
  )
}

function SamplePagesSetting({ saved, isFixed }: { saved: boolean; isFixed: boolean }) {
  const t = useText(adminText)
  const [before, after] = t.samplesFixed
  return (
    <CommunitySettingSwitch
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

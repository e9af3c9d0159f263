import { exampleContentSettingsSection } from './ExampleSettings.tsx'
import { communityGroupSettingsSection } from './GroupSettings.tsx'
import { communityJoinSettingsSection } from './JoinSettings.tsx'
import { communityLanguageAndTimeSettingsSection } from './LanguageSettings.tsx'
import { communityLimitSettingsSection } from './LimitSettings.tsx'
import { communityLinkSettingsSection } from './LinkSettings.tsx'
import { communityNameAndLookSettingsSection } from './LookSettings.tsx'
import { communityReadAccessSettingsSection } from './ReadSettings.tsx'
import { communityRetentionSettingsSection } from './RetentionSettings.tsx'
import { adminAccountSettingsSection } from './SafetySettings.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

/** All sections of the admin settings page, in the order in which the page shows them. */
export const communitySettingsSections: readonly CommunitySettingsSection[] = [
  communityNameAndLookSettingsSection,
  communityLanguageAndTimeSettingsSection,
  communityJoinSettingsSection,
  communityReadAccessSettingsSection,
  communityGroupSettingsSection,
  communityLinkSettingsSection,
  communityRetentionSettingsSection,
  communityLimitSettingsSection,
  adminAccountSettingsSection,
  exampleContentSettingsSection,
]

import { exampleContentSettingsSection } from './ExampleSettings.tsx'
import { communityGroupSettingsSection } from './GroupSettings.tsx'
import { communityJoinAndInviteSettingsSection } from './JoinSettings.tsx'
import { communityLanguageAndTimeSettingsSection } from './LanguageSettings.tsx'
import { communityContentLimitSettingsSection } from './LimitSettings.tsx'
import { communityLinkPreviewSettingsSection } from './LinkSettings.tsx'
import { communityNameAndLookSettingsSection } from './LookSettings.tsx'
import { communityReadAccessSettingsSection } from './ReadSettings.tsx'
import { communityRetentionSettingsSection } from './RetentionSettings.tsx'
import { adminSecondStepSettingsSection } from './SafetySettings.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

/** All sections of the admin settings page, in the order in which the page shows them. */
export const communitySettingsSections: readonly CommunitySettingsSection[] = [
  communityNameAndLookSettingsSection,
  communityLanguageAndTimeSettingsSection,
  communityJoinAndInviteSettingsSection,
  communityReadAccessSettingsSection,
  communityGroupSettingsSection,
  communityLinkPreviewSettingsSection,
  communityRetentionSettingsSection,
  communityContentLimitSettingsSection,
  adminSecondStepSettingsSection,
  exampleContentSettingsSection,
]

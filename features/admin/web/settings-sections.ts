import { exampleSettingsSection } from './ExampleSettings.tsx'
import { groupSettingsSection } from './GroupSettings.tsx'
import { joinSettingsSection } from './JoinSettings.tsx'
import { languageSettingsSection } from './LanguageSettings.tsx'
import { limitSettingsSection } from './LimitSettings.tsx'
import { linkSettingsSection } from './LinkSettings.tsx'
import { lookSettingsSection } from './LookSettings.tsx'
import { readAccessSettingsSection } from './ReadSettings.tsx'
import { retentionSettingsSection } from './RetentionSettings.tsx'
import { adminAccountSettingsSection } from './SafetySettings.tsx'
import type { SettingsSection } from './settings-section.ts'

/** The sections of the settings page, in their order. */
export const settingsSections: readonly SettingsSection[] = [
  lookSettingsSection,
  languageSettingsSection,
  joinSettingsSection,
  readAccessSettingsSection,
  groupSettingsSection,
  linkSettingsSection,
  retentionSettingsSection,
  limitSettingsSection,
  adminAccountSettingsSection,
  exampleSettingsSection,
]

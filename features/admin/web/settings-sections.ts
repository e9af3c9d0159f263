import { exampleSettings } from './ExampleSettings.tsx'
import { groupSettings } from './GroupSettings.tsx'
import { joinSettings } from './JoinSettings.tsx'
import { languageSettings } from './LanguageSettings.tsx'
import { limitSettings } from './LimitSettings.tsx'
import { lookSettings } from './LookSettings.tsx'
import { readSettings } from './ReadSettings.tsx'
import { retentionSettings } from './RetentionSettings.tsx'
import { safetySettings } from './SafetySettings.tsx'
import type { SettingsSection } from './settings-section.ts'

/** The sections of the settings page, in their order. */
export const settingsSections: readonly SettingsSection[] = [
  lookSettings,
  languageSettings,
  joinSettings,
  readSettings,
  groupSettings,
  retentionSettings,
  limitSettings,
  safetySettings,
  exampleSettings,
]

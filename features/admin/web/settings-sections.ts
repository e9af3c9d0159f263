import { examplesSection } from './ExampleSettings.tsx'
import { groupsSection } from './GroupSettings.tsx'
import { joinSection } from './JoinSettings.tsx'
import { languageSection } from './LanguageSettings.tsx'
import { limitsSection } from './LimitSettings.tsx'
import { linksSection } from './LinkSettings.tsx'
import { lookSection } from './LookSettings.tsx'
import { readSection } from './ReadSettings.tsx'
import { retentionSection } from './RetentionSettings.tsx'
import { safetySection } from './SafetySettings.tsx'
import type { SettingsSection } from './settings-section.ts'

/** In the order of the page. */
export const settingsSections: readonly SettingsSection[] = [
  lookSection,
  languageSection,
  joinSection,
  readSection,
  groupsSection,
  linksSection,
  retentionSection,
  limitsSection,
  safetySection,
  examplesSection,
]

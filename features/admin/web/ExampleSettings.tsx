import { ExampleSetting } from './ExampleSetting.tsx'
import type { SettingsSection } from './settings-section.ts'

export const examplesSection: SettingsSection = {
  id: 'examples',
  title: { en: 'Examples', ja: '見本' },
  Content: ExampleSetting,
}

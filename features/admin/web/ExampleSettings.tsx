import { ExamplesSetting } from './ExamplesSetting.tsx'
import type { SettingsSection } from './settings-section.ts'

export const exampleSettingsSection: SettingsSection = {
  id: 'examples',
  title: { en: 'Examples', ja: 'サンプル' },
  Content: ExamplesSetting,
}

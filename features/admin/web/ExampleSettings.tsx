import { ExampleContentSetting } from './ExampleContentSetting.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

export const exampleContentSettingsSection: CommunitySettingsSection = {
  id: 'examples',
  title: { en: 'Examples', ja: 'サンプル' },
  Content: ExampleContentSetting,
}

import type { AppContext } from '#core/context.ts'
import { realtimeContract } from '#core/realtime/routes.ts'
import type { ServedEndpoints } from '#core/schemas.ts'
import type { FeatureModule } from './module.ts'

/**
 * Returns the endpoint contracts of these features and of the realtime server, by the names under which
 * `openapi.json` groups them.
 */
export const collect = (features: readonly FeatureModule[]): Readonly<Record<string, ServedEndpoints>> =>
  Object.assign({ realtime: realtimeContract }, ...features.map((feature) => feature.contracts))

/** Creates a function that returns the contracts of those features that are on at the moment. */
export function finder(features: readonly FeatureModule[], { settings }: Pick<AppContext, 'settings'>) {
  const all = collect(features)
  const withoutSamples = collect(features.filter(({ isDemo }) => !isDemo))
  return () => (settings.current().show_samples ? all : withoutSamples)
}

import { useInsertionEffect } from 'react'

const shown = new Map<string, number>()

/**
 * Sets the attribute `data-name="value"` on the root element while the calling component is mounted; a
 * `value` of null sets nothing. Sets it before the layout effects of all components, because some of them
 * measure elements whose style depends on it. `:has()` in CSS could replace this, but would make the browser
 * search the whole page at every change.
 */
export function useRootDataAttributeWhileMounted(name: string, value: string | null = '') {
  useInsertionEffect(() => {
    if (value === null) return
    const { dataset } = document.documentElement
    dataset[name] = value
    shown.set(name, (shown.get(name) ?? 0) + 1)
    return () => {
      shown.set(name, shown.get(name)! - 1)
      if (!shown.get(name)) delete dataset[name]
    }
  }, [name, value])
}

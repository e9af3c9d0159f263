import type * as v from 'valibot'
import type { EndpointSchema, EndpointSchemas } from '#core/schemas.ts'

// What both sides know of each other. A contract is plain data: the browser gets it as it is written. What only
// the server needs stands in the schemas.ts beside it (see core/schemas.ts).

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Language = 'en' | 'ja'
export type Sentence = Readonly<Record<Language, string>>

/** `schema` is never there: it carries the types of the input and of the answer. */
export interface Endpoint<S extends EndpointSchema = EndpointSchema> {
  readonly method: HttpMethod
  readonly path: string
  readonly schema?: S
}
export type Endpoints<S extends EndpointSchemas = EndpointSchemas> = {
  readonly [K in keyof S]: Endpoint<S[K]>
}
export type SchemaOf<E extends Endpoint> = NonNullable<E['schema']>
/** As the client sends it. */
export type Input<E extends Endpoint> = v.InferInput<SchemaOf<E>['input']>
/** As the client gets it. */
export type Answer<E extends Endpoint> = v.InferOutput<SchemaOf<E>['output']>

/**
 * Declares the addresses of a feature's endpoints: `endpoints<typeof postSchemas>({ list: 'GET /api/posts' })`.
 * Does not compile unless it has exactly the names of the schemas.
 */
// @__NO_SIDE_EFFECTS__
export function endpoints<S extends EndpointSchemas>(
  routes: {
    readonly [K in keyof S]: `${HttpMethod} /${string}`
  },
) {
  const toEndpoint = ([name, route]: [string, string]) => {
    const [method, path] = route.split(' ')
    return [name, { method, path }]
  }
  return Object.fromEntries(Object.entries<string>(routes).map(toEndpoint)) as unknown as Endpoints<S>
}

/** A real-time channel. Each `:part` of its name is an id. */
export interface Channel {
  readonly name: string
}
export type Channels = Readonly<Record<string, Channel>>

/**
 * The names of channels, each split at its parts: `private-chat.:smaller.:larger` is `private-chat.`,
 * `smaller`, `.`, `larger` and an empty text. A message to a group fills a name for each of its members.
 */
const splitChannelNames = new Map<string, readonly string[]>()

/**
 * Fills the parts of a channel's name: `private-chat.:smaller.:larger` and `{ smaller: 3, larger: 7 }` give
 * `private-chat.3.7`.
 */
export function fillChannel({ name }: Channel, parts: Readonly<Record<string, number>> = {}) {
  const texts = splitChannelNames.get(name) ?? name.split(/:(\w+)/)
  splitChannelNames.set(name, texts)
  let filled = texts[0]!
  for (let index = 1; index < texts.length; index += 2) filled += `${parts[texts[index]!]}${texts[index + 1]}`
  return filled
}

/** A page of the site. What only the server needs to know of it stands in server-pages.ts of the feature. */
export interface PageDefinition {
  path: string
  /**
   * The file of the page's component: `posts/PostListPage` means features/posts/web/PostListPage.tsx. Its
   * name ends in Page, because the browser's build includes only files whose names end in Page or
   * PageSection.
   */
  view: string
  title: Sentence
}

/**
 * A section that a feature adds to a page of another feature (see `PageSections` in
 * web/views.tsx).
 */
export interface AddedPageSection {
  /** With `#menu`: of the menu of the page, which loads it when it opens. */
  path: string
  /**
   * The file of the section's component: `replies/RepliesPageSection` means
   * features/replies/web/RepliesPageSection.tsx.
   */
  view: string
  /** Whether the page shows the section above its own content; otherwise it shows the section below. */
  isAtTop?: true
}

/** Fills the parameters of a path: `/api/posts/:id/like` and `{ id: 7 }` give `/api/posts/7/like`. */
export const fillPath = (path: string, input: Readonly<Record<string, unknown>>) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))

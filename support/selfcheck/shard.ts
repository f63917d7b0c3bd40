/** Every n-th item: `2/4` has the items at 1, 5, 9… The parts together have every item once. Undefined if the text is no part. */
export function partOf<Item>(items: readonly Item[], shard: string): readonly Item[] | undefined {
  const [, part, parts] = /^([1-9][0-9]{0,2})\/([1-9][0-9]{0,2})$/.exec(shard)?.map(Number) ?? []
  if (part === undefined || parts === undefined || part > parts) return undefined
  return items.filter((_item, at) => at % parts === part - 1)
}

-- SPDX-License-Identifier: MIT
create table t(a integer primary key, b text, c integer);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500) insert into t select i, printf('%d-%x', i * 7919 % 1000, i), i * 31 % 97 from n;
create index tc on t(c, b);
select c, count(*), min(b), max(length(b)), sum(a) from t group by c order by 2 desc, 1 limit 5;
select count(*) from t x join t y on x.c = y.c and x.a < y.a where x.b like '%1%';
update t set b = upper(b) || 'x' where a % 3 = 0;
select sum(length(replace(b, 'X', 'yy'))) from t;
delete from t where c between 10 and 40;
select group_concat(distinct substr(b, 1, 1)) from t order by 1;
